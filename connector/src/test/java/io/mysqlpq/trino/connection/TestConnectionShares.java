package io.mysqlpq.trino.connection;

import io.airlift.testing.TestingTicker;
import io.trino.spi.HostAddress;
import io.trino.spi.Node;
import io.trino.testing.TestingNodeManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TOO_FEW_CONNECTIONS;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

class TestConnectionShares
{
    private static final ConnectionConfig CONFIG = new ConnectionConfig().setMaxConnectionsPerServer(100).setMaxConnectionsPerNode(16);

    /** Whatever the numbers, the parts are no more than the whole, and none is empty. */
    @Test
    void testPartsAreNoMoreThanTheWhole()
    {
        for (int workers = 1; workers <= 50; workers++) {
            for (int connections = workers + 2; connections <= 300; connections++) {
                for (int mostReaders : new int[] {1, 2, 16, 1000}) {
                    ConnectionBudget budget = ConnectionBudget.of(connections, workers, mostReaders);
                    assertThat(budget.planning() + budget.snapshots() + workers * budget.readers()).describedAs("%s of %s for %s", budget, connections, workers).isEqualTo(connections);
                    assertThat(budget.readers()).isLessThanOrEqualTo(mostReaders);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 1, 1, 1, 1", "5, 3, 1, 1, 1", "40, 3, 5, 14, 7", "100, 1, 8, 76, 16", "100, 20, 8, 32, 3"})
    void testExamples(int connections, int workers, int planning, int snapshots, int readers)
    {
        assertThat(ConnectionBudget.of(connections, workers, 16)).isEqualTo(new ConnectionBudget(planning, snapshots, readers));
    }

    @Test
    void testTooFew()
    {
        assertTrinoExceptionThrownBy(() -> ConnectionBudget.of(22, 21, 16))
                .hasErrorCode(MYSQL_PQ_TOO_FEW_CONNECTIONS)
                .hasMessageContaining("max-connections-per-server is 22, but 21 workers need at least 23 connections");
    }

    /** Four are for metadata, unless workers have too few then. */
    @ParameterizedTest
    @CsvSource({"30, 26", "10, 6", "6, 3", "1, 3", "104, 100", "2147483647, 100"})
    void testAccountMayHaveFewer(int allowed, int divided)
    {
        ConnectionShares shares = new ConnectionShares(TestingNodeManager.create(), CONFIG, new TestingTicker());
        ConnectionShare before = shares.perNode(10);
        shares.allow(allowed);
        ConnectionBudget budget = shares.budget();
        assertThat(budget.planning() + budget.snapshots() + budget.readers()).isEqualTo(divided);
        assertThat(shares.perNode(10).replaces(before)).isEqualTo(allowed < Integer.MAX_VALUE);
        shares.allow(Integer.MAX_VALUE);
        assertThat(shares.perNode(10).node()).isEqualTo(before.node());
    }

    @Test
    void testWorkersThatComeAndGo()
    {
        TestingNodeManager nodes = TestingNodeManager.create();
        TestingTicker ticker = new TestingTicker();
        ConnectionShares shares = new ConnectionShares(nodes, CONFIG, ticker);
        ConnectionShare alone = shares.perNode(10);
        assertThat(alone.node()).isEqualTo(16);
        assertThat(alone.query()).isEqualTo(10);
        assertThat(shares.perNode(10)).isEqualTo(alone);
        Node[] joined = new Node[9];
        for (int i = 0; i < joined.length; i++) {
            joined[i] = new Worker("w" + i);
            nodes.addNode(joined[i]);
        }
        ConnectionShare ofTen = shares.perNode(10);
        assertThat(ofTen.node()).isEqualTo(6);
        assertThat(ofTen.query()).isEqualTo(1);
        assertThat(ofTen.replaces(alone)).isTrue();
        assertThat(alone.replaces(ofTen)).isFalse();
        // A worker that leaves may still read.
        for (Node node : joined) {
            nodes.removeNode(node);
        }
        assertThat(shares.perNode(10)).isEqualTo(ofTen);
        ticker.increment(61, SECONDS);
        assertThat(shares.perNode(10).node()).isEqualTo(16);
        assertThat(shares.perNode(10).replaces(ofTen)).isTrue();
    }

    private record Worker(String name)
            implements Node
    {
        @Override
        public String getHost()
        {
            return name;
        }

        @Override
        public HostAddress getHostAndPort()
        {
            return HostAddress.fromParts(name, 8080);
        }

        @Override
        public String getNodeIdentifier()
        {
            return name;
        }

        @Override
        public String getVersion()
        {
            return "test";
        }

        @Override
        public boolean isCoordinator()
        {
            return false;
        }
    }
}
