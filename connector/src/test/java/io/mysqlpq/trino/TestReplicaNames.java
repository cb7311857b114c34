package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;

/** Reads from the servers of a name that has several, while it loses and gains some. They are one server, which listens on several addresses. */
class TestReplicaNames
{
    private static final String NAME = "replicas.mysql.test";
    private static final String COUNT = "SELECT count(*) FROM test.t";

    @Test
    void testNameOfSeveralServers()
            throws Exception
    {
        TestingNames.set(NAME, "127.0.0.2", "127.0.0.3");
        try (MysqlServer mysql = MysqlServer.builder().extension(true).option("bind-address", "*").start();
                TestingTrino trino = TestingTrino.oneNode(mysql, ImmutableMap.of(
                        "replica-hosts", "dns:%s:%s".formatted(NAME, mysql.port()),
                        "replica-list-ttl", "1s"))) {
            mysql.execute("CREATE DATABASE test", "CREATE TABLE test.t (k INT PRIMARY KEY)", "INSERT INTO test.t VALUES (1), (2), (3)");
            runAtOnce(trino);
            assertThat(servers(trino)).containsExactlyInAnyOrder("127.0.0.2:" + mysql.port(), "127.0.0.3:" + mysql.port());

            TestingNames.set(NAME, "127.0.0.3", "127.0.0.4");
            Await.until("a server that came is read", () -> {
                runAtOnce(trino);
                return servers(trino).contains("127.0.0.4:" + mysql.port());
            });
            // One that has gone may not even be named.
            Await.until("a server that has gone is forgotten", () -> isRefused(trino, "127.0.0.2:" + mysql.port()));

            // Nobody reads less for it that DNS does not answer.
            TestingNames.set(NAME);
            runAtOnce(trino);
            assertThat(isRefused(trino, "127.0.0.4:" + mysql.port())).isFalse();
        }
    }

    private static void runAtOnce(TestingTrino trino)
    {
        List<CompletableFuture<Object>> counts = IntStream.range(0, 6).mapToObj(_ -> Background.supply(() -> trino.execute(COUNT).getOnlyValue())).toList();
        assertThat(counts).allSatisfy(count -> assertThat(count.join()).isEqualTo(3L));
    }

    private static Set<String> servers(TestingTrino trino)
    {
        return trino.execute("SELECT DISTINCT server FROM TABLE(mysql_pq.system.counters()) WHERE server IS NOT NULL").getOnlyColumnAsSet().stream().map(String.class::cast).collect(toImmutableSet());
    }

    private static boolean isRefused(TestingTrino trino, String server)
    {
        try {
            assertThat(trino.execute(trino.session(ImmutableMap.of("read_server", server)), COUNT).getOnlyValue()).isEqualTo(3L);
            return false;
        }
        catch (RuntimeException e) {
            assertThat(e).hasMessageContaining("read_server must be a server of the catalog");
            return true;
        }
    }
}
