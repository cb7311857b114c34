package io.mysqlpq.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs a replication group of a primary, which alone may be written to, and secondaries. */
public final class ReplicationGroup
        implements AutoCloseable
{
    private static final String NAME = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";

    private final int primaryPort = FreePort.find();
    private final List<MysqlServer> members = new ArrayList<>();

    public ReplicationGroup(int secondaries)
    {
        MysqlServer primary = member(1, primaryPort, primaryPort).extension(true).start();
        members.add(primary);
        primary.execute(
                "CREATE USER repl IDENTIFIED BY 'repl'",
                "GRANT REPLICATION SLAVE, GROUP_REPLICATION_STREAM ON *.* TO repl",
                "SET GLOBAL group_replication_bootstrap_group = ON",
                "START GROUP_REPLICATION",
                "SET GLOBAL group_replication_bootstrap_group = OFF");
        awaitOnline(primary);
        for (int i = 0; i < secondaries; i++) {
            join(i + 2);
        }
    }

    private void join(int id)
    {
        MysqlServer member = member(id, FreePort.find(), primaryPort).extension(true).start();
        members.add(member);
        member.execute(
                "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'repl', SOURCE_PASSWORD = 'repl' FOR CHANNEL 'group_replication_recovery'",
                "START GROUP_REPLICATION");
        awaitOnline(member);
    }

    private static void awaitOnline(MysqlServer member)
    {
        Await.until("the member is online", Duration.ofMinutes(1), () -> state(member).equals("ONLINE"));
    }

    /** Returns a server that can become a member. Its own port and the first member's are those that members speak to each other on. */
    public static MysqlServerBuilder member(int id, int port, int firstPort)
    {
        return MysqlServer.builder()
                .binaryLog()
                .option("server-id", String.valueOf(id))
                .option("gtid-mode", "ON")
                .option("enforce-gtid-consistency", "ON")
                .option("cte-max-recursion-depth", "1000000")
                .option("plugin-load-add", "group_replication.so")
                .option("report-host", "127.0.0.1")
                .option("loose-group-replication-group-name", NAME)
                .option("loose-group-replication-start-on-boot", "OFF")
                .option("loose-group-replication-local-address", "127.0.0.1:" + port)
                .option("loose-group-replication-group-seeds", "127.0.0.1:" + firstPort)
                .option("loose-group-replication-ip-allowlist", "127.0.0.1/32")
                .option("loose-group-replication-recovery-get-public-key", "ON")
                .option("loose-group-replication-recovery-retry-count", "1000000")
                .option("loose-group-replication-recovery-reconnect-interval", "0")
                // Root stays able to look.
                .option("loose-group-replication-exit-state-action", "READ_ONLY");
    }

    /** Returns a member's own state, such as {@code ONLINE}. Empty if it is in no group. */
    public static String state(MysqlServer member)
    {
        return member.values("SELECT COALESCE(MAX(member_state), '') FROM performance_schema.replication_group_members WHERE member_id = @@GLOBAL.server_uuid").getFirst();
    }

    public MysqlServer primary()
    {
        return members.getFirst();
    }

    public List<MysqlServer> secondaries()
    {
        return members.subList(1, members.size());
    }

    @Override
    public void close()
    {
        members.reversed().forEach(MysqlServer::close);
    }
}
