package io.mysqlpq.cross.mutants;

import org.junit.platform.engine.CancellationToken;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.PrintStream;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

/** Runs a test class until one of its tests fails, and says after how long: whether it catches a fault that was planted. */
public final class Hunt
{
    private static final int CAUGHT = 1;
    private static final int NOTHING_RAN = 2;

    private Hunt()
    {}

    static void main(String[] args)
    {
        // Trino makes log lines of what is printed.
        PrintStream out = System.out;
        FirstFailure failure = run(args[0]);
        out.println(failure);
        // What servers a broken test leaves behind ends with the process.
        System.exit(failure.isPresent() ? CAUGHT : failure.passed() == 0 ? NOTHING_RAN : 0);
    }

    static FirstFailure run(String className)
    {
        LauncherDiscoveryRequest tests = LauncherDiscoveryRequestBuilder.request().selectors(selectClass(className)).build();
        CancellationToken rest = CancellationToken.create();
        FirstFailure failure = new FirstFailure(rest::cancel);
        LauncherFactory.create().execute(LauncherExecutionRequestBuilder.request(tests).cancellationToken(rest).listeners(failure).build());
        return failure;
    }
}
