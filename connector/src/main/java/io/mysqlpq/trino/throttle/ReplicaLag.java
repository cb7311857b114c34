package io.mysqlpq.trino.throttle;

import io.airlift.units.Duration;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Tells how far a replica lags: the age, since its commit at the source, of the oldest transaction that the replica has received and not
 * applied.
 *
 * @param running lag of the channel that lags most, of those that run; zero if the server is no replica
 * @param stopped the name of a channel that does not receive or apply, so that nobody knows how far it lags
 */
public record ReplicaLag(Duration running, Optional<String> stopped)
{
    /**
     * A worker applies a transaction. Before that the coordinator has it, and on a delayed replica holds it back. A transaction that was
     * received and that neither has yet is either applied already or about to be. A group's channel for recovery usually does not run.
     */
    private static final String SQL = """
            SELECT
              receiver.channel_name,
              receiver.service_state = 'ON' AND applier.service_state = 'ON',
              (SELECT MAX(TIMESTAMPDIFF(MICROSECOND, applying_transaction_original_commit_timestamp, NOW(6)))
                FROM performance_schema.replication_applier_status_by_worker AS worker
                WHERE worker.channel_name = receiver.channel_name AND applying_transaction <> ''),
              (SELECT MAX(TIMESTAMPDIFF(MICROSECOND, processing_transaction_original_commit_timestamp, NOW(6)))
                FROM performance_schema.replication_applier_status_by_coordinator AS coordinator
                WHERE coordinator.channel_name = receiver.channel_name AND processing_transaction <> ''),
              IF(receiver.last_queued_transaction LIKE '%:%' AND NOT GTID_SUBSET(receiver.last_queued_transaction, @@GLOBAL.gtid_executed),
                TIMESTAMPDIFF(MICROSECOND, receiver.last_queued_transaction_original_commit_timestamp, NOW(6)), 0)
            FROM performance_schema.replication_connection_status AS receiver
            JOIN performance_schema.replication_applier_status AS applier ON applier.channel_name = receiver.channel_name
            WHERE receiver.channel_name <> 'group_replication_recovery'""";

    static final String TABLES = "replication_connection_status, replication_applier_status, replication_applier_status_by_worker and replication_applier_status_by_coordinator";

    public ReplicaLag
    {
        requireNonNull(running, "running is null");
        requireNonNull(stopped, "stopped is null");
    }

    public static ReplicaLag read(Connection connection, UnaryOperator<String> queryComment)
            throws SQLException
    {
        long micros = 0;
        Optional<String> stopped = Optional.empty();
        try (Statement statement = connection.createStatement(); ResultSet channels = statement.executeQuery(queryComment.apply(SQL))) {
            while (channels.next()) {
                if (!channels.getBoolean(2)) {
                    stopped = Optional.of(channels.getString(1));
                    continue;
                }
                // NULL, which is 0 here, where there is no such transaction. Clocks may differ.
                micros = max(micros, max(channels.getLong(3), max(channels.getLong(4), channels.getLong(5))));
            }
        }
        return new ReplicaLag(new Duration(micros, MICROSECONDS).convertTo(MILLISECONDS), stopped);
    }
}
