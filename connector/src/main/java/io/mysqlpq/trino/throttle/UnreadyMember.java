package io.mysqlpq.trino.throttle;

import com.google.common.collect.ImmutableSet;
import io.airlift.log.Logger;
import io.mysqlpq.trino.error.MysqlError;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_MEMBER_NOT_READY;

/** Refuses a member of a replication group that is behind the others, or out of the group by a failure. */
final class UnreadyMember
        implements Condition
{
    private static final Logger log = Logger.get(UnreadyMember.class);
    private static final Set<String> REFUSED = ImmutableSet.of("RECOVERING", "ERROR");

    private final AtomicBoolean warned = new AtomicBoolean();

    @Override
    public Optional<Obstacle> obstacle(ServerReadings readings)
            throws SQLException
    {
        readings.memberState().filter(UnreadyMember::isRefused).ifPresent(state -> {
            throw new Obstacle(
                    MYSQL_PQ_MEMBER_NOT_READY,
                    "This member of the replication group is in the state %s, so its data may be behind the group's. Read another member, run the query when this one is ONLINE, or set group-member-check-enabled to false".formatted(state))
                    .toException();
        });
        return Optional.empty();
    }

    /** @param state of performance_schema.replication_group_members */
    static boolean isRefused(String state)
    {
        return REFUSED.contains(state);
    }

    // Accounts usually lack the privilege. If something keeps MySQL from answering, the query itself will say so.
    @Override
    public Optional<Obstacle> unreadable(String query, SQLException cause)
    {
        if (MysqlError.isPrivilegeMissing(cause) && warned.compareAndSet(false, true)) {
            log.warn(
                    "Query %s reads a server without a check of its state in a replication group, because its MySQL account may not read that state: %s. GRANT SELECT ON performance_schema.replication_group_members TO the account, or set group-member-check-enabled to false. This is logged once",
                    query,
                    cause.getMessage());
        }
        return Optional.empty();
    }
}
