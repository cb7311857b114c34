package io.mysqlpq.trino.server;

import com.google.common.base.Ticker;
import io.airlift.log.Logger;
import io.airlift.units.Duration;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.mysqlpq.trino.protocol.VersionReply;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.VERSION_SQL;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** Shakes hands with the extension, and remembers the outcome for a limited time: a catalog has one server. */
final class ExtensionProbe
{
    private static final Logger log = Logger.get(ExtensionProbe.class);

    // What an administrator mends works at once, and yet not every query asks.
    private static final long REFUSAL_MILLIS = 1000;

    private final Duration timeToLive;
    private final Ticker ticker;
    private volatile Outcome last;

    ExtensionProbe(Duration timeToLive, Ticker ticker)
    {
        this.timeToLive = requireNonNull(timeToLive, "timeToLive is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    VersionReply version(Connection connection)
            throws SQLException, ExtensionUnavailableException
    {
        Outcome outcome = last;
        if (outcome == null || NANOSECONDS.toMillis(ticker.read() - outcome.readAtNanos()) >= millisToLive(outcome)) {
            outcome = new Outcome(ask(connection), ticker.read());
            last = outcome;
        }
        return outcome.answer().get();
    }

    private long millisToLive(Outcome outcome)
    {
        return outcome.answer() instanceof Refusal ? min(REFUSAL_MILLIS, timeToLive.toMillis()) : timeToLive.toMillis();
    }

    /** Forgets the outcome, after a call showed that it is no longer true. */
    void forget()
    {
        last = null;
    }

    private static Answer ask(Connection connection)
            throws SQLException, ExtensionUnavailableException
    {
        try (Statement statement = connection.createStatement();
                ResultSet reply = statement.executeQuery(VERSION_SQL)) {
            reply.next();
            VersionReply version = VersionReply.decode(reply.getString(1));
            if (!version.enabled()) {
                return new Refusal(FallbackCause.DISABLED, "mysql_pq_enabled is OFF");
            }
            log.info("MySQL %s has the extension mysql_pq %s", version.serverVersion(), version.extension());
            return () -> version;
        }
        catch (UnsupportedReplyException e) {
            return new Refusal(FallbackCause.of(e), e.getMessage());
        }
        catch (SQLException e) {
            Optional<ExtensionError> error = ExtensionError.of(e);
            if (error.isEmpty()) {
                throw e;
            }
            FallbackCause cause = FallbackCause.of(error.get());
            if (cause == FallbackCause.ACCESS_DENIED) {
                // This is true of this account only.
                throw new ExtensionUnavailableException(cause, e);
            }
            return new Refusal(cause, error.get().explain(e));
        }
    }

    private record Refusal(FallbackCause cause, String message)
            implements Answer
    {
        @Override
        public VersionReply get()
                throws ExtensionUnavailableException
        {
            throw new ExtensionUnavailableException(cause, message);
        }
    }

    private record Outcome(Answer answer, long readAtNanos)
    {}

    private interface Answer
    {
        VersionReply get()
                throws ExtensionUnavailableException;
    }
}
