package io.mysqlpq.cross.fault;

import io.mysqlpq.cross.CrossCluster;
import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.testing.QueryFailedException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_WAIT_TIMEOUT;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

/** Judges how a query ended that met a fault. */
final class Verdict
{
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final CrossCluster cluster;

    Verdict(CrossCluster cluster)
    {
        this.cluster = cluster;
    }

    /** @param expected MySQL's own answer; of several servers each one's */
    void on(Fault fault, CompletableFuture<List<String>> query, List<List<String>> expected)
    {
        try {
            List<String> answer = query.get(LIMIT.toMillis(), MILLISECONDS);
            assertThat(fault.outcome()).as("of a query that was answered").isIn(Outcome.ANSWER, Outcome.EITHER);
            assertThat(answer).isIn(expected);
            fault.tried(true);
        }
        catch (ExecutionException e) {
            if (fault.outcome() == Outcome.ANSWER || !(e.getCause() instanceof QueryFailedException failure)) {
                throw new AssertionError("%s was not survived".formatted(fault), e.getCause());
            }
            assertClear(fault, failure);
            fault.tried(false);
        }
        catch (TimeoutException e) {
            throw new AssertionError("%s: the query hangs".formatted(fault), e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
    }

    private void assertClear(Fault fault, QueryFailedException failure)
    {
        ErrorCode code = cluster.trino().getCoordinator().getDispatchManager().getQueryInfo(failure.getQueryId()).getErrorCode();
        System.out.println("%s: %s".formatted(code.getName(), failure.getMessage()));
        assertThat(fault.errorCodes()).as(failure.getMessage()).extracting(ErrorCodeSupplier::toErrorCode).contains(code);
        assertThat(failure).hasMessageMatching("(?s).*(Run the query again|Raise |raise it|Free space ).*").satisfies(error -> assertThat(error.getMessage()).doesNotContain("STACKTRACE"));
        // Who gets no connection could read no table.
        if (!code.equals(MYSQL_PQ_CONNECTION_WAIT_TIMEOUT.toErrorCode()) && !code.equals(JDBC_ERROR.toErrorCode())) {
            assertThat(failure).hasMessageContaining("s.t");
        }
    }
}
