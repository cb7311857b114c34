package io.mysqlpq.trino.throttle;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.FreePort;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.mysqlpq.testing.ReplicationGroup.member;
import static io.mysqlpq.testing.ReplicationGroup.state;
import static io.mysqlpq.testing.TestedServer.NEEDS_GROUP_REPLICATION;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_MEMBER_NOT_READY;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Runs a real replication group, one of whose members cannot recover. */
@TestInstance(PER_CLASS)
class TestGroupMember
{
    private MysqlServer first;
    private MysqlServer second;

    @BeforeAll
    void start()
    {
        int firstPort = FreePort.find();
        first = member(1, firstPort, firstPort).extension(false).start();
        first.execute("CREATE DATABASE test", "CREATE TABLE test.t (k INT PRIMARY KEY)");
        second = member(2, FreePort.find(), firstPort).extension(false).start();
    }

    @AfterAll
    void stop()
    {
        second.close();
        first.close();
    }

    @Test
    @EnabledIf(value = "io.mysqlpq.testing.TestedServer#hasGroupReplication", disabledReason = NEEDS_GROUP_REPLICATION)
    void testMembers()
    {
        try (AdmittedServer server = new AdmittedServer(first, config()); AdmittedServer other = new AdmittedServer(second, config())) {
            // The plugin is there, the group is not.
            server.query(ImmutableMap.of()).join();
            first.execute("SET GLOBAL group_replication_bootstrap_group = ON", "START GROUP_REPLICATION", "SET GLOBAL group_replication_bootstrap_group = OFF");
            Await.until("the first member is online", () -> state(first).equals("ONLINE"));
            server.query(ImmutableMap.of("max_replica_lag", "1s")).join();

            // It lacks rows, which it wants from the first one with a password that is wrong.
            second.execute(
                    "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'nobody', SOURCE_PASSWORD = 'wrong' FOR CHANNEL 'group_replication_recovery'",
                    "START GROUP_REPLICATION");
            Await.until("the second member recovers", () -> state(second).equals("RECOVERING"));
            awaitRefusal(other, "RECOVERING");
            // The other member's trouble is not the first one's.
            server.query(ImmutableMap.of()).join();
            try (AdmittedServer unchecked = new AdmittedServer(second, config().setGroupMemberCheckEnabled(false))) {
                unchecked.query(ImmutableMap.of()).join();
            }

            second.execute("STOP GROUP_REPLICATION", "SET GLOBAL group_replication_recovery_retry_count = 1", "START GROUP_REPLICATION");
            Await.until("the second member gave up", () -> state(second).equals("ERROR"));
            awaitRefusal(other, "ERROR");
        }
    }

    @ParameterizedTest
    @CsvSource({"ONLINE, false", "OFFLINE, false", "UNREACHABLE, false", "RECOVERING, true", "ERROR, true"})
    void testStates(String state, boolean refused)
    {
        assertThat(UnreadyMember.isRefused(state)).isEqualTo(refused);
    }

    private static void awaitRefusal(AdmittedServer server, String state)
    {
        Await.until("MySQL is asked anew", () -> server.query(ImmutableMap.of()).handle((_, failure) -> failure != null).join());
        assertTrinoExceptionThrownBy(() -> TestServerAdmission.join(server.query(ImmutableMap.of())))
                .hasErrorCode(MYSQL_PQ_MEMBER_NOT_READY)
                .hasMessageContaining(state)
                .hasMessageContaining("group-member-check-enabled");
    }

    private static ThrottleConfig config()
    {
        return new ThrottleConfig().setThrottlePollInterval(new Duration(10, MILLISECONDS));
    }
}
