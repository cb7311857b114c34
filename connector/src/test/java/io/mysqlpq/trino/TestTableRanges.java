package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Shows ranges of tables, and asks MySQL itself what is in them. */
@TestInstance(PER_CLASS)
class TestTableRanges
{
    private static final int ROWS = 20_000;
    private static final String NUMBERS = "WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT ".formatted(ROWS);

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET GLOBAL cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.Numbers (n BIGINT PRIMARY KEY, v INT)",
                "CREATE USER reader", "CREATE USER key_reader", "CREATE USER value_reader", "CREATE USER writer");
        mysql.execute("INSERT INTO test.Numbers " + NUMBERS + "n, n FROM s");
        mysql.execute(
                "ANALYZE TABLE test.Numbers",
                "GRANT SELECT ON test.* TO reader",
                "GRANT SELECT (n) ON test.Numbers TO key_reader",
                "GRANT SELECT (v) ON test.Numbers TO value_reader",
                "GRANT INSERT ON test.Numbers TO writer");
        trino = TestingTrino.oneNode(mysql, "nobody", ImmutableMap.of(
                "user-credential-name", "mysql_user",
                "case-insensitive-name-matching", "true"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testRangesAreWhatMysqlCounts()
    {
        List<MaterializedRow> ranges = ranges("numbers", ", degree => 8");
        assertThat(ranges).hasSizeBetween(5, 8);
        long rows = 0;
        long estimated = 0;
        for (int i = 0; i < ranges.size(); i++) {
            MaterializedRow range = ranges.get(i);
            assertThat(range.getField(0)).isNull();
            assertThat(range.getField(1)).isEqualTo("PRIMARY");
            assertThat(range.getField(2)).isEqualTo("n");
            assertThat(range.getField(3)).isEqualTo(i + 1L);
            assertThat(range.getField(4)).isEqualTo(i == 0 ? null : ranges.get(i - 1).getField(5));
            long counted = count("test.Numbers", "n", range);
            assertThat(counted).isBetween(ROWS / ranges.size() / 2L, ROWS / ranges.size() * 2L);
            rows += counted;
            estimated += (long) range.getField(6);
            assertThat((long) range.getField(7)).isPositive();
            assertThat((long) range.getField(8)).isBetween(0L, (long) range.getField(9) - 1);
        }
        assertThat(ranges.getLast().getField(5)).isNull();
        assertThat(rows).isEqualTo(ROWS);
        assertThat(estimated).isBetween(ROWS * 9L / 10, ROWS * 11L / 10);
    }

    private long count(String table, String column, MaterializedRow range)
    {
        String lower = range.getField(4) == null ? "" : " AND %s >= %s".formatted(column, range.getField(4));
        String upper = range.getField(5) == null ? "" : " AND %s < %s".formatted(column, range.getField(5));
        return Long.parseLong(getOnlyElement(mysql.values("SELECT COUNT(*) FROM %s WHERE true%s%s".formatted(table, lower, upper))));
    }

    // Keys as they are shown are rows of SQL, and keys of rows that there are.
    @Test
    void testReadableKeys()
    {
        assertKeysAreRows("numbers_and_texts", "a VARCHAR(30) CHARACTER SET latin1, b DECIMAL(9, 2), k INT", "a, b, k", "CONCAT('é''\\\\ü', n), n / 4, n");
        assertKeysAreRows("unicode", "a VARCHAR(30) COLLATE utf8mb4_bin, k INT", "a, k", "CONCAT('😀', n), n");
        assertKeysAreRows("bytes_and_moments", "a VARBINARY(40), b DATETIME(6), c DATE, d TIME", "a, b, c, d", "UNHEX(SHA2(n, 224)), '2026-01-01 12:34:56.789' + INTERVAL n HOUR, '1999-12-31' + INTERVAL n DAY, SEC_TO_TIME(n)");
    }

    private void assertKeysAreRows(String table, String columns, String key, String values)
    {
        mysql.execute(
                "CREATE TABLE test.%s (%s, PRIMARY KEY (%s))".formatted(table, columns, key),
                "SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'",
                "INSERT INTO test.%s %s%s FROM s".formatted(table, NUMBERS, values));
        List<String> keys = ranges(table, "").stream().map(range -> (String) range.getField(4)).skip(1).toList();
        assertThat(keys).hasSizeGreaterThan(4);
        assertThat(keys).allSatisfy(lower -> assertThat(mysql.values("SELECT COUNT(*) FROM test.%s WHERE (%s) = (%s)".formatted(table, key, lower.replace("\\", "\\\\")))).containsExactly("1"));
    }

    @Test
    void testOtherIndexes()
    {
        mysql.execute(
                "CREATE TABLE test.indexed (k BIGINT PRIMARY KEY, a INT, KEY by_a (a DESC))",
                "INSERT INTO test.indexed " + NUMBERS + "n, IF(n < 100, NULL, n) FROM s",
                "CREATE TABLE test.keyless (a INT)",
                "INSERT INTO test.keyless " + NUMBERS + "n FROM s");
        List<MaterializedRow> ranges = ranges("indexed", ", degree => 4, index_name => 'by_a'");
        assertThat(ranges).hasSizeBetween(3, 4).allSatisfy(range -> {
            assertThat(range.getField(1)).isEqualTo("by_a");
            assertThat(range.getField(2)).isEqualTo("a, k");
        });
        assertThat(ranges("keyless", "")).hasSizeGreaterThan(4).allSatisfy(range -> assertThat(range.getField(1)).isEqualTo("GEN_CLUST_INDEX"));
        assertThatThrownBy(() -> ranges("indexed", ", index_name => 'none'")).hasMessageContaining("The extension gives no ranges for table").hasMessageContaining("none");
    }

    @Test
    void testPartitions()
    {
        mysql.execute(
                "CREATE TABLE test.parts (k INT PRIMARY KEY) PARTITION BY RANGE (k) (PARTITION small VALUES LESS THAN (10), PARTITION `la``rge` VALUES LESS THAN MAXVALUE)",
                "INSERT INTO test.parts " + NUMBERS + "n FROM s",
                "ANALYZE TABLE test.parts");
        List<MaterializedRow> ranges = ranges("parts", ", degree => 4");
        assertThat(ranges.stream().map(range -> range.getField(0))).startsWith("small", "la`rge", "la`rge").hasSizeBetween(4, 5);
        assertThat(ranges.stream().map(range -> range.getField(3))).startsWith(1L, 1L, 2L, 3L);
    }

    // No rule of Trino's can be asked about a column that Trino has not.
    @Test
    void testKeyOfAColumnThatTrinoHasNot()
    {
        mysql.execute(
                "CREATE TABLE test.bits (b BIT(9), k INT, PRIMARY KEY (b, k), KEY by_k (k))",
                "INSERT INTO test.bits " + NUMBERS + "n % 512, n FROM s");
        assertThatThrownBy(() -> ranges("bits", "")).hasMessageContaining("Trino does not have its key column b");
        assertThatThrownBy(() -> ranges("bits", ", index_name => 'by_k'")).hasMessageContaining("Trino does not have its key column b");
    }

    @Test
    void testMoreRangesThanAreKept()
    {
        mysql.execute("CREATE TABLE test.many_parts (k INT PRIMARY KEY) PARTITION BY HASH (k) PARTITIONS 5");
        assertThatThrownBy(() -> ranges("many_parts", ", degree => 4096")).hasMessageContaining("has 5 partitions").hasMessageContaining("Lower DEGREE");
        assertThat(ranges("many_parts", ", degree => 3000")).hasSize(5);
    }

    @Test
    void testWhoMayReadOnlySome()
    {
        List<MaterializedRow> all = ranges(session("reader"), "numbers", "");
        List<MaterializedRow> keys = ranges(session("key_reader"), "numbers", "");
        assertThat(keys.stream().map(range -> range.getField(4)).toList()).isEqualTo(all.stream().map(range -> range.getField(4)).toList());
        assertThat(keys).allSatisfy(range -> {
            assertThat(range.getField(6)).isNull();
            assertThat(range.getField(7)).isNull();
            assertThat(range.getField(9)).isNull();
        });
        assertThatThrownBy(() -> ranges(session("value_reader"), "numbers", "")).hasMessageContaining("denied").hasMessageContaining("Grant SELECT on the table");
        assertThatThrownBy(() -> ranges(session("writer"), "numbers", "")).hasMessageContaining("denied").hasMessageContaining("Grant SELECT on the table");
    }

    @Test
    void testWhomTrinoDenies()
    {
        try {
            trino.runner().getAccessControl().deny(privilege("numbers", SELECT_COLUMN));
            assertThatThrownBy(() -> ranges("numbers", "")).hasMessageContaining("Access Denied");
        }
        finally {
            trino.runner().getAccessControl().reset();
        }
    }

    @Test
    void testArguments()
    {
        assertThatThrownBy(() -> ranges("absent", "")).hasMessageContaining("'test.absent' not found");
        assertThatThrownBy(() -> ranges("numbers", ", degree => 0")).hasMessageContaining("DEGREE must be between 1 and 4096: 0");
        assertThatThrownBy(() -> ranges("numbers", ", degree => 4097")).hasMessageContaining("4097");
        assertThat(ranges("numbers", ", degree => 1")).hasSize(1);
        mysql.execute("CREATE VIEW test.seen AS SELECT n FROM test.Numbers");
        assertThatThrownBy(() -> ranges("seen", "")).hasMessageContaining("The extension gives no ranges for table");
    }

    @Test
    void testWithoutExtension()
    {
        mysql.execute("UNINSTALL PLUGIN mysql_pq");
        try {
            assertThatThrownBy(() -> ranges("numbers", "")).hasMessageContaining("Install the extension in MySQL with INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
        }
        finally {
            mysql.execute("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
        }
        assertThat(ranges("numbers", "")).isNotEmpty();
    }

    private List<MaterializedRow> ranges(String table, String arguments)
    {
        return ranges(session("root"), table, arguments);
    }

    private List<MaterializedRow> ranges(Session session, String table, String arguments)
    {
        return trino.execute(session, "SELECT * FROM TABLE(mysql_pq.system.ranges(schema_name => 'test', table_name => '%s'%s))".formatted(table, arguments)).getMaterializedRows();
    }

    private Session session(String mysqlUser)
    {
        return Session.builder(trino.runner().getDefaultSession())
                .setIdentity(Identity.forUser(mysqlUser).withExtraCredentials(ImmutableMap.of("mysql_user", mysqlUser)).build())
                .build();
    }
}
