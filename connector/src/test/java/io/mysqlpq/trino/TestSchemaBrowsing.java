package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Lists 5,000 tables and their columns. */
@TestInstance(PER_CLASS)
class TestSchemaBrowsing
{
    private static final int TABLES = 5000;
    private static final int COLUMNS = 8;
    private static final Duration LONGEST = Duration.valueOf("4s");
    // Other tests may share the machine for a while.
    private static final int ATTEMPTS = 3;

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(false).start();
        mysql.execute("CREATE DATABASE test", "CREATE DATABASE many");
        mysql.execute(IntStream.range(0, TABLES)
                .mapToObj("CREATE TABLE many.t%1$d (id BIGINT PRIMARY KEY, a INT, b VARCHAR(20) COMMENT 'b of %1$d', c DECIMAL(10, 2), d DATETIME(3), e BIT(8), f TEXT, g TIMESTAMP NULL)"::formatted)
                .toArray(String[]::new));
        mysql.execute("CREATE VIEW many.v AS SELECT id, a FROM many.t0", "CREATE TABLE many.`p%_x` (id INT)");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of());
        trino.execute("SELECT 1");
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testListings()
    {
        // BIT(8) is hidden.
        assertRows("SELECT * FROM information_schema.columns WHERE table_schema = 'many'", TABLES * (COLUMNS - 1) + 2 + 1);
        assertRows("SELECT * FROM information_schema.columns", TABLES * (COLUMNS - 1) + 2 + 1);
        assertRows("SELECT * FROM information_schema.tables WHERE table_schema = 'many'", TABLES + 2);
        assertRows("SHOW TABLES FROM many", TABLES + 2);
        assertRows("SELECT * FROM system.metadata.table_comments WHERE catalog_name = 'mysql_pq' AND schema_name = 'many'", TABLES + 2);
        assertRows("DESCRIBE many.t4711", COLUMNS - 1);
        assertRows("SELECT id FROM many.\"p%_x\"", 0);
    }

    private void assertRows(String sql, long rows)
    {
        assertThat(IntStream.range(0, ATTEMPTS).anyMatch(_ -> timeOf(sql, rows).compareTo(LONGEST) < 0)).as(sql).isTrue();
    }

    private Duration timeOf(String sql, long rows)
    {
        long start = System.nanoTime();
        long found = trino.execute(sql).getMaterializedRows().stream().filter(row -> !row.getFields().contains("information_schema")).count();
        Duration time = Duration.nanosSince(start);
        System.out.printf("%s: %s%n", time, sql);
        assertThat(found).as(sql).isEqualTo(rows);
        return time;
    }

    // Table by table, the same columns come from another statement of the driver.
    @Test
    void testBulkListingIsThatOfEachTable()
    {
        for (String table : List.of("t0", "t4999", "v", "p%_x")) {
            String sql = "SELECT column_name, ordinal_position, is_nullable, data_type FROM information_schema.columns WHERE table_schema = 'many'";
            assertThat(rows(sql).filter(row -> row.startsWith("[" + table + ", ")).sorted())
                    .containsExactlyElementsOf(rowsOfTable(table).sorted().toList());
        }
    }

    private Stream<String> rows(String sql)
    {
        return trino.execute(sql.replace("SELECT ", "SELECT table_name, ")).getMaterializedRows().stream().map(row -> row.getFields().toString());
    }

    private Stream<String> rowsOfTable(String table)
    {
        return trino.execute(
                trino.session(ImmutableMap.of("bulk_list_columns", "false")),
                "SELECT table_name, column_name, ordinal_position, is_nullable, data_type FROM information_schema.columns WHERE table_schema = 'many' AND table_name = '%s'".formatted(table)).getMaterializedRows().stream()
                .map(row -> row.getFields().toString());
    }

    // MySQL tells the names apart, and Trino does not. Listings show what a name leads to.
    @Test
    void testNamesThatDifferInCase()
    {
        mysql.execute(
                "CREATE DATABASE twins",
                "CREATE TABLE twins.Orders (upper_id INT) COMMENT 'upper'",
                "CREATE TABLE twins.orders (lower_id INT) COMMENT 'lower'",
                "CREATE TABLE twins.Both (a INT)",
                "CREATE TABLE twins.BOTH (b INT)",
                "CREATE TABLE twins.single (c INT)",
                "CREATE DATABASE Twins",
                "CREATE TABLE Twins.single (d INT)");
        try {
            for (String bulk : List.of("true", "false")) {
                Session session = trino.session(ImmutableMap.of("bulk_list_columns", bulk));
                assertThat(column(session, "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'twins'")).containsExactlyInAnyOrder("orders.lower_id", "single.c");
                assertThat(column(session, "SELECT table_schema || '.' || column_name FROM information_schema.columns WHERE table_name = 'single'")).containsExactly("twins.c");
            }
            Session session = trino.session(ImmutableMap.of());
            assertThat(column(session, "SHOW TABLES FROM twins")).containsExactlyInAnyOrder("orders", "single");
            assertThat(column(session, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'twins'")).containsExactlyInAnyOrder("orders", "single");
            assertThat(column(session, "SELECT comment FROM system.metadata.table_comments WHERE catalog_name = 'mysql_pq' AND schema_name = 'twins'")).containsExactlyInAnyOrder("lower", null);
            assertThat(column(session, "SHOW SCHEMAS LIKE 'twins'")).containsExactly("twins");
            assertThat(column(session, "DESCRIBE twins.orders")).containsExactly("lower_id");
            assertThatThrownBy(() -> trino.execute("DESCRIBE twins.both")).hasMessageContaining("Table 'mysql_pq.twins.both' does not exist");
        }
        finally {
            mysql.execute("DROP DATABASE twins", "DROP DATABASE Twins");
        }
    }

    @Test
    void testNamesThatDifferInCaseWhereAllAreFound()
    {
        trino.runner().createCatalog("insensitive", "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "case-insensitive-name-matching", "true"));
        mysql.execute(
                "CREATE DATABASE Twins",
                "CREATE TABLE Twins.Orders (upper_id INT)",
                "CREATE TABLE Twins.orders (lower_id INT)",
                "CREATE TABLE Twins.Single (c INT)");
        try {
            Session session = trino.session(ImmutableMap.of());
            assertThat(column(session, "SELECT table_name || '.' || column_name FROM insensitive.information_schema.columns WHERE table_schema = 'twins'")).containsExactly("single.c");
            assertThat(column(session, "SHOW TABLES FROM insensitive.twins")).containsExactly("single");
            assertThatThrownBy(() -> trino.execute("SELECT * FROM insensitive.twins.orders")).hasMessageContaining("Ambiguous name: orders");
        }
        finally {
            mysql.execute("DROP DATABASE Twins");
        }
    }

    private List<Object> column(Session session, String sql)
    {
        return trino.execute(session, sql).getMaterializedRows().stream().map(row -> row.getField(0)).collect(toCollection(ArrayList::new));
    }
}
