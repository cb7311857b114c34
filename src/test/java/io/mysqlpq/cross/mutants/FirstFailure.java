package io.mysqlpq.cross.mutants;

import com.google.common.base.Throwables;
import io.mysqlpq.testing.WrongAnswer;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

import java.util.Locale;
import java.util.Optional;

import static java.util.concurrent.TimeUnit.SECONDS;

/** Notes which test failed first, and how long after it had begun: servers that all tests share run by then. */
final class FirstFailure
        implements TestExecutionListener
{
    private static final int LONGEST_REASON = 300;

    private final Runnable onFailure;
    private long begin;
    private int passed;
    private Optional<String> failed = Optional.empty();
    private boolean error;
    private double seconds;

    FirstFailure(Runnable onFailure)
    {
        this.onFailure = onFailure;
    }

    @Override
    public void executionStarted(TestIdentifier test)
    {
        if (test.isTest()) {
            begin = System.nanoTime();
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result)
    {
        if (failed.isPresent()) {
            return;
        }
        seconds = begin == 0 ? 0 : (System.nanoTime() - begin) / (double) SECONDS.toNanos(1);
        if (result.getStatus() == Status.SUCCESSFUL) {
            passed += test.isTest() ? 1 : 0;
            return;
        }
        result.getThrowable().ifPresent(Throwable::printStackTrace);
        // Whatever else fails may do so because the machine is busy.
        Optional<Throwable> wrongAnswer = result.getThrowable().flatMap(FirstFailure::wrongAnswer);
        error = wrongAnswer.isEmpty();
        failed = Optional.of("%s: %s".formatted(test.getDisplayName(), wrongAnswer.or(result::getThrowable).map(FirstFailure::reason).orElse("aborted")));
        onFailure.run();
    }

    // A thread of the test may have found it.
    private static Optional<Throwable> wrongAnswer(Throwable failure)
    {
        return Throwables.getCausalChain(failure).stream().filter(WrongAnswer.class::isInstance).findFirst();
    }

    // On one line, as it goes into a table.
    private static String reason(Throwable failure)
    {
        String reason = String.valueOf(failure.getMessage()).strip().replaceAll("[\\s|]+", " ");
        return reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
    }

    boolean isPresent()
    {
        return failed.isPresent();
    }

    int passed()
    {
        return passed;
    }

    /** {@code caught SECONDS TEST: REASON}, {@code failed SECONDS TEST: REASON} after an error, or {@code passed SECONDS TESTS}. */
    @Override
    public String toString()
    {
        return failed.map(test -> String.format(Locale.ENGLISH, "%s %.1f %s", error ? "failed" : "caught", seconds, test))
                .orElseGet(() -> String.format(Locale.ENGLISH, "passed %.1f %d tests", seconds, passed));
    }
}
