package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Runs one statement in a session and a thread of its own, so that a test can watch it wait.
 */
final class BackgroundCall
        implements AutoCloseable
{
    private final Session session;
    private final Session observer;
    private final FutureTask<String> task;

    BackgroundCall(MysqlServer server, String sql, String... setUp)
    {
        this(server, session -> session.value(sql), setUp);
    }

    private BackgroundCall(MysqlServer server, Function<Session, String> call, String... setUp)
    {
        session = new Session(server).execute(setUp);
        observer = new Session(server);
        task = new FutureTask<>(() -> call.apply(session));
        Thread.ofVirtual().start(task);
    }

    // Statements without rows, one after the other.
    static BackgroundCall ofStatements(MysqlServer server, String... statements)
    {
        return new BackgroundCall(server, session -> {
            session.execute(statements);
            return null;
        });
    }

    long connectionId()
    {
        return session.id();
    }

    // Not before the statement has ended.
    Session session()
    {
        assertThat(task.isDone()).isTrue();
        return session;
    }

    boolean isDone()
    {
        return task.isDone();
    }

    BackgroundCall awaitMetadataLockWait()
    {
        Await.until("statement waits for a metadata lock", () -> {
            assertThat(task.isDone()).as("the call must wait, but ended").isFalse();
            return observer.number("SELECT COUNT(*) FROM performance_schema.processlist WHERE id = %s AND state LIKE 'Waiting for%%metadata lock'".formatted(session.id())) == 1;
        });
        return this;
    }

    String value()
    {
        try {
            return task.get(60, TimeUnit.SECONDS);
        }
        catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("The statement in the background failed", e);
        }
    }

    void end()
    {
        assertThat(value()).isNull();
    }

    SQLException failure()
    {
        return failureIfAny().orElseGet(() -> fail("The statement in the background must fail but gave " + value()));
    }

    // Empty if it ended well.
    Optional<SQLException> failureIfAny()
    {
        try {
            String _ = task.get(60, TimeUnit.SECONDS);
            return Optional.empty();
        }
        catch (ExecutionException e) {
            assertThat(e.getCause().getCause()).isInstanceOf(SQLException.class);
            return Optional.of((SQLException) e.getCause().getCause());
        }
        catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("The statement in the background does not end", e);
        }
    }

    @Override
    public void close()
    {
        // Otherwise a test that failed while the statement waits would wait with it.
        if (!task.isDone()) {
            observer.execute("KILL " + session.id());
        }
        session.close();
        observer.close();
    }
}
