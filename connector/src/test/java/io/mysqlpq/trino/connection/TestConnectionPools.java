package io.mysqlpq.trino.connection;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.security.ConnectorIdentity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_WAIT_TIMEOUT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestConnectionPools
{
    private static final java.time.Duration PROMPTLY = java.time.Duration.ofSeconds(10);

    // The Trino user names the MySQL account, and is its password too.
    private static final CredentialProvider BY_USER = new CredentialProvider() {
        @Override
        public Optional<String> getConnectionUser(Optional<ConnectorIdentity> identity)
        {
            return identity.map(ConnectorIdentity::getUser);
        }

        @Override
        public Optional<String> getConnectionPassword(Optional<ConnectorIdentity> identity)
        {
            return identity.map(ConnectorIdentity::getUser);
        }
    };

    private MysqlServer mysql;
    private ConnectionPools pools;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(false).start();
        mysql.execute("CREATE USER alice IDENTIFIED BY 'alice'", "CREATE USER bob IDENTIFIED BY 'bob'", "CREATE USER carol IDENTIFIED BY 'other'");
        pools = pools(ImmutableMap.of("sessionVariables", "net_write_timeout=1234"));
    }

    @AfterAll
    void stop()
    {
        pools.close();
        mysql.close();
    }

    @Test
    void testConnectionIsUsedAgain()
            throws Exception
    {
        String first;
        try (PooledConnection connection = open("alice")) {
            first = text(connection, "SELECT connection_id()");
        }
        try (PooledConnection connection = open("alice")) {
            assertThat(text(connection, "SELECT connection_id()")).isEqualTo(first);
        }
    }

    @Test
    void testAccountsShareNothing()
            throws Exception
    {
        try (PooledConnection alice = open("alice"); PooledConnection bob = open("bob")) {
            assertThat(text(alice, "SELECT current_user()")).startsWith("alice@");
            assertThat(text(bob, "SELECT current_user()")).startsWith("bob@");
        }
        try (PooledConnection bob = open("bob")) {
            assertThat(text(bob, "SELECT current_user()")).startsWith("bob@");
        }
    }

    @Test
    void testWrongPasswordFailsAtOnce()
    {
        assertThatThrownBy(() -> open("carol")).isInstanceOf(SQLException.class).hasMessageContaining("Access denied");
    }

    @Test
    void testSessionIsSetUp()
            throws Exception
    {
        try (PooledConnection connection = open("alice")) {
            assertThat(text(connection, "SELECT @@net_write_timeout")).isEqualTo("1234");
            assertThat(text(connection, "SELECT @@transaction_read_only")).isEqualTo("1");
        }
    }

    @Test
    void testDiscardedConnectionEndsInMysql()
            throws Exception
    {
        PooledConnection connection = open("alice");
        String id = text(connection, "SELECT connection_id()");
        Thread reader = Thread.ofVirtual().start(() -> assertThatThrownBy(() -> text(connection, "SELECT SLEEP(100)")).isInstanceOf(SQLException.class));
        Await.until("the statement runs", () -> sessions("id = %s AND info LIKE 'SELECT SLEEP%%'".formatted(id)) == 1);
        connection.discard();
        Await.until("the session is gone", PROMPTLY, () -> sessions("id = " + id) == 0);
        reader.join();
        try (PooledConnection next = open("alice")) {
            assertThat(text(next, "SELECT connection_id()")).isNotEqualTo(id);
        }
    }

    @Test
    void testBrokenConnectionIsNotUsedAgain()
            throws Exception
    {
        try (PooledConnection connection = open("alice")) {
            String id = text(connection, "SELECT connection_id()");
            mysql.execute("KILL " + id);
            assertThatThrownBy(() -> text(connection, "SELECT 1")).isInstanceOf(SQLException.class);
        }
        try (PooledConnection connection = open("alice")) {
            assertThat(text(connection, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void testWaitTimeout()
            throws Exception
    {
        try (MysqlServer full = MysqlServer.builder().extension(false).option("max_connections", "1").start()) {
            full.execute("CREATE USER alice IDENTIFIED BY 'alice'");
            ConnectionPools tight = new ConnectionPools(settings(full, ImmutableMap.of(), 1), BY_USER);
            try (PooledConnection _ = tight.open(ConnectorIdentity.ofUser("alice"))) {
                assertTrinoExceptionThrownBy(() -> tight.open(ConnectorIdentity.ofUser("alice")))
                        .hasErrorCode(MYSQL_PQ_CONNECTION_WAIT_TIMEOUT)
                        .hasMessageContaining("connection-wait-timeout");
            }
            finally {
                tight.close();
            }
        }
    }

    private PooledConnection open(String user)
            throws SQLException
    {
        return pools.open(ConnectorIdentity.ofUser(user));
    }

    private ConnectionPools pools(Map<String, String> properties)
    {
        return new ConnectionPools(settings(mysql, properties, 5), BY_USER);
    }

    private static ConnectionSettings settings(MysqlServer server, Map<String, String> properties, int waitSeconds)
    {
        return new ConnectionSettings(
                "test",
                server.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                properties,
                4,
                new Duration(waitSeconds, SECONDS),
                new Duration(10, SECONDS));
    }

    private long sessions(String condition)
    {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM information_schema.processlist WHERE " + condition)) {
            rows.next();
            return rows.getLong(1);
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(PooledConnection connection, String sql)
            throws SQLException
    {
        try (Statement statement = connection.connection().createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
