package io.mysqlpq.containers;

import io.mysqlpq.cross.running.QueryInformation;
import io.trino.jdbc.TrinoResultSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.containers.Network;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.trino.TrinoContainer;
import org.testcontainers.utility.DockerImageName;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the images one by one, as a user's own tests would use them: MySQL with the extension and without it, read by one Trino.
 */
@TestInstance(PER_CLASS)
class TestImages
{
    private static final int ROWS = 50_000;
    private static final String SCAN = "SELECT id, word FROM %s.test.words";

    private Network network;
    private MySQLContainer withExtension;
    private MySQLContainer plain;
    private TrinoContainer trino;

    @BeforeAll
    void start()
            throws SQLException
    {
        ContainerDaemon.require();
        network = Network.newNetwork();
        withExtension = mysql(System.getProperty("pq.image.mysql", "mysql-pq/mysql"), "mysql");
        plain = mysql(System.getProperty("pq.image.plain", "mysql:9.7"), "plain");
        trino = new TrinoContainer(DockerImageName.parse(System.getProperty("pq.image.trino", "mysql-pq/trino")).asCompatibleSubstituteFor("trinodb/trino"))
                .withNetwork(network)
                .withEnv("MYSQL_URL", "jdbc:mysql://mysql:3306")
                .withEnv("MYSQL_USER", "test")
                .withEnv("MYSQL_PASSWORD", "test")
                .withCopyToContainer(Transferable.of("""
                        connector.name=mysql_pq
                        connection-url=jdbc:mysql://plain:3306
                        connection-user=test
                        connection-password=test
                        """), "/etc/trino/catalog/plain.properties")
                .withStartupTimeout(Duration.ofMinutes(5));
        Startables.deepStart(withExtension, plain, trino).join();
        fill(withExtension);
        fill(plain);
    }

    @AfterAll
    void stop()
    {
        for (AutoCloseable part : new AutoCloseable[] {trino, plain, withExtension, network}) {
            close(part);
        }
    }

    @Test
    void testTableIsReadByRanges()
            throws SQLException
    {
        assertThat(count("mysql_pq")).isEqualTo(ROWS);
        assertThat(ranges("mysql_pq")).isGreaterThan(4);
    }

    @Test
    void testWithoutExtensionTableIsReadByOneSplit()
            throws SQLException
    {
        assertThat(count("plain")).isEqualTo(ROWS);
        assertThat(ranges("plain")).isLessThanOrEqualTo(1);
    }

    private MySQLContainer mysql(String image, String alias)
    {
        return new MySQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("mysql"))
                .withNetwork(network)
                .withNetworkAliases(alias)
                .withStartupTimeout(Duration.ofMinutes(5));
    }

    private static void fill(MySQLContainer server)
            throws SQLException
    {
        try (Connection connection = server.createConnection(""); Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE words (id int PRIMARY KEY, word varchar(100) NOT NULL)");
            statement.execute("SET SESSION cte_max_recursion_depth = " + ROWS);
            statement.execute("""
                    INSERT INTO words
                    WITH RECURSIVE numbers AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < %d)
                    SELECT n, repeat('word ', 1 + n %% 10) FROM numbers""".formatted(ROWS));
            statement.execute("ANALYZE TABLE words");
        }
    }

    private long count(String catalog)
            throws SQLException
    {
        try (Connection connection = trino.createConnection("");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM (%s)".formatted(SCAN.formatted(catalog)))) {
            result.next();
            return result.getLong(1);
        }
    }

    private long ranges(String catalog)
            throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(trino.getJdbcUrl(), "test", null); Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION %s.target_rows_per_split = 2000".formatted(catalog));
            try (ResultSet result = statement.executeQuery(SCAN.formatted(catalog))) {
                while (result.next()) {}
                String query = result.unwrap(TrinoResultSet.class).getQueryId();
                return new QueryInformation(trino.getMappedPort(8080)).rangesOf(query).count();
            }
        }
    }

    private static void close(AutoCloseable part)
    {
        try {
            if (part != null) {
                part.close();
            }
        }
        catch (Exception e) {
            throw new IllegalStateException("A container could not be removed", e);
        }
    }
}
