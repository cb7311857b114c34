package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.error.MysqlError;
import io.mysqlpq.trino.throttle.ReplicaLag;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Examines how far a replica lags, and a member's state in its group. */
final class StateCheck
        implements Check
{
    // A group's channel for recovery runs only while a member recovers.
    private static final String CHANNELS = "SELECT COUNT(*) FROM performance_schema.replication_connection_status WHERE channel_name <> 'group_replication_recovery'";
    private static final String MEMBER = "SELECT member_state FROM performance_schema.replication_group_members WHERE member_id = @@GLOBAL.server_uuid";
    private static final String DENIED = "Run the GRANT statements of the row privileges on replication";
    private static final long LARGE_LAG_SECONDS = 60;

    @Override
    public String name()
    {
        return "replication";
    }

    @Override
    public List<Finding> examine(ExaminedServer server)
            throws SQLException
    {
        return ImmutableList.of(unlessDenied("replica lag", server, StateCheck::lag), unlessDenied("group member", server, StateCheck::member));
    }

    private static Finding unlessDenied(String check, ExaminedServer server, Reading reading)
            throws SQLException
    {
        try {
            return reading.read(server);
        }
        catch (SQLException e) {
            if (!MysqlError.isPrivilegeMissing(e)) {
                throw e;
            }
            return Finding.warning(check, "not known: the account may not see it", DENIED);
        }
    }

    private static Finding lag(ExaminedServer server)
            throws SQLException
    {
        ReplicaLag lag = ReplicaLag.read(server.connection(), server.queryComment());
        if (lag.stopped().isPresent()) {
            return Finding.problem("replica lag", "channel '%s' is not replicating".formatted(lag.stopped().get()), "Queries read old data, or fail under max-replica-lag. Look at SHOW REPLICA STATUS, then START REPLICA");
        }
        if (server.number(CHANNELS) == 0) {
            return Finding.ok("replica lag", "the server is no replica");
        }
        String found = "%.1f s".formatted(lag.running().toMillis() / 1000.0);
        return lag.running().toMillis() < LARGE_LAG_SECONDS * 1000
                ? Finding.ok("replica lag", found)
                : Finding.warning("replica lag", found, "Set max-replica-lag to refuse queries on old data, or throttle-replica-lag to spare the replica");
    }

    private static Finding member(ExaminedServer server)
            throws SQLException
    {
        Optional<String> state = server.text(MEMBER);
        if (state.isEmpty() || state.get().equals("OFFLINE")) {
            return Finding.ok("group member", "the server is in no replication group");
        }
        return state.get().equals("ONLINE")
                ? Finding.ok("group member", "ONLINE")
                : Finding.problem("group member", state.get(), "Read another member until this one is ONLINE");
    }

    private interface Reading
    {
        Finding read(ExaminedServer server)
                throws SQLException;
    }
}
