package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that the example client in Python reads what Trino and MySQL read, while others write.
 */
@TestInstance(PER_CLASS)
class TestPythonClient
{
    private static final Path FOLDER = Path.of(System.getProperty("basedir", "."), "..", "..", "docs", "examples", "python").toAbsolutePath().normalize();
    private static final Pattern COMMAND = Pattern.compile("^ *python parallel_read\\.py (.*)$", Pattern.MULTILINE);
    private static final Pattern TOTAL = Pattern.compile("^(ranges|connections|rows|sum) (-?\\d+)$", Pattern.MULTILINE);
    private static final int ACCOUNTS = 40_000;
    private static final long TOTAL_AMOUNT = 100L * ACCOUNTS;
    private static final String SECRET = "reader's secret";

    private CrossCluster cluster;
    private PythonEnvironment python;

    @BeforeAll
    void start()
    {
        python = PythonEnvironment.of("python-client", FOLDER.resolve("requirements.txt"));
        cluster = CrossCluster.parallel(MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start());
        cluster.mysql().execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.numbered (id INT PRIMARY KEY, amount BIGINT NOT NULL, filler VARCHAR(300))",
                "CREATE TABLE s.named (branch SMALLINT, name VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, id INT NOT NULL, amount BIGINT NOT NULL, filler VARCHAR(300), PRIMARY KEY (branch DESC, name), KEY (id))",
                "CREATE TABLE s.parted (id INT PRIMARY KEY, amount BIGINT NOT NULL, filler VARCHAR(300)) PARTITION BY HASH (id) PARTITIONS 3",
                "CREATE TABLE s.loose (id INT, amount BIGINT NOT NULL, filler VARCHAR(300), KEY (id))",
                "CREATE TABLE s.huge (id INT PRIMARY KEY, amount BIGINT UNSIGNED, small TINYINT)",
                "INSERT INTO s.huge VALUES (1, 18446744073709551615, -128), (2, NULL, 127), (3, 1, -1)",
                "CREATE USER reader IDENTIFIED BY '%s'".formatted(SECRET.replace("'", "''")),
                "GRANT SELECT ON s.* TO reader");
        String accounts = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT %%s2 * i, 100, REPEAT('f', 200) FROM n".formatted(ACCOUNTS - 1);
        for (String table : List.of("numbered", "parted", "loose")) {
            cluster.mysql().execute("INSERT INTO s.%s (id, amount, filler) %s".formatted(table, accounts.formatted("")));
        }
        cluster.mysql().execute("INSERT INTO s.named (branch, name, id, amount, filler) " + accounts.formatted("i % 7 - 3, CONCAT(IF(i % 2, 'É', 'e'), LEFT(SHA2(i, 256), 20)), "));
    }

    @AfterAll
    void stop()
    {
        if (cluster != null) {
            cluster.mysql().assertErrorLogClean();
            cluster.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"numbered, id = %d", "named, branch = %d MOD 7 - 3", "parted, id = %d"})
    void testTotalsUnderWriters(String table, String move)
    {
        try (ShuffledAccounts accounts = new ShuffledAccounts(cluster.mysql(), "s." + table, move, ACCOUNTS, 7)) {
            for (String mode : List.of("", "--native", "--aggregate", "", "--native", "--aggregate")) {
                long before = accounts.commits();
                Map<String, Long> totals = read(table, "amount", mode);
                assertThat(totals).as("%s %s", table, mode).containsEntry("rows", (long) ACCOUNTS).containsEntry("sum", TOTAL_AMOUNT);
                assertThat(totals.get("ranges")).isGreaterThan(10);
                assertThat(trino("SELECT count(*), sum(amount) FROM " + table)).isEqualTo(List.of((long) ACCOUNTS, TOTAL_AMOUNT));
                assertThat(accounts.commits()).isGreaterThan(before + 10);
            }
        }
        // Now that nobody writes, the client and Trino see the same moment.
        List<Object> seen = trino("SELECT count(*), sum(id) FROM " + table);
        for (String mode : List.of("", "--native", "--aggregate")) {
            Map<String, Long> totals = read(table, "id", mode);
            assertThat(List.<Object>of(totals.get("rows"), totals.get("sum"))).as(table + mode).isEqualTo(seen);
        }
    }

    @Test
    void testNativeBatchesAreRead()
    {
        long before = cluster.mysql().status("mysql_pq_scan_rows_read");
        read("numbered", "amount", "");
        assertThat(cluster.mysql().status("mysql_pq_scan_rows_read")).isEqualTo(before);
        read("numbered", "amount", "--native");
        assertThat(cluster.mysql().status("mysql_pq_scan_rows_read")).isEqualTo(before + ACCOUNTS);
    }

    @Test
    void testTableWithoutPrimaryKeyIsOneRange()
    {
        assertThat(read("loose", "amount", "--aggregate")).containsEntry("ranges", 1L).containsEntry("rows", (long) ACCOUNTS).containsEntry("sum", TOTAL_AMOUNT);
        assertThat(read("loose", "amount", "--native")).containsEntry("ranges", 1L).containsEntry("rows", (long) ACCOUNTS).containsEntry("sum", TOTAL_AMOUNT);
    }

    // The extension does not read what is off-page in a compressed table, and ends before such a row.
    @Test
    void testRowsLeftToSql()
    {
        cluster.mysql().execute(
                "CREATE TABLE s.docs (id INT PRIMARY KEY, doc MEDIUMTEXT) ROW_FORMAT = COMPRESSED",
                "INSERT INTO s.docs WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i, IF(i % 50 = 0, NULL, REPEAT('d', IF(i % 400 = 7, 50000, i % 90))) FROM n");
        List<Object> all = trino("SELECT count(*), sum(length(doc)) FROM docs");
        long before = cluster.mysql().status("mysql_pq_scan_rows_read");
        for (String mode : List.of("", "--native --layout bytes")) {
            Map<String, Long> totals = read("docs", "doc", mode);
            assertThat(List.<Object>of(totals.get("rows"), totals.get("sum"))).as("docs " + mode).isEqualTo(all);
        }
        // It has read some rows, and not all.
        assertThat(cluster.mysql().status("mysql_pq_scan_rows_read") - before).isBetween(100L, 2900L);
    }

    @Test
    void testNumbersOfAllSizes()
    {
        for (String mode : List.of("", "--native", "--aggregate")) {
            assertThat(output("huge", "amount", mode)).contains("rows 3\nsum 18446744073709551616\n");
            assertThat(output("huge", "small", mode)).contains("rows 3\nsum -2\n");
        }
    }

    // Descending and nullable columns, texts that are equal though their bytes differ, dates without a literal, prefixes, and what has to be left out of the bounds.
    @Test
    void testKeysOfManyTypes()
    {
        cluster.mysql().execute(
                "SET SESSION sql_mode = ''",
                """
                CREATE TABLE s.many (id INT PRIMARY KEY, n INT, t VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, d DATE, ts TIMESTAMP NULL, tm TIME, de DECIMAL(8, 3), fl DOUBLE, b VARBINARY(20),
                    e ENUM ('x', 'y', 'z'), bits BIT(9), y YEAR, filler VARCHAR(200), KEY k1 (n DESC, t), KEY k2 (t DESC, n), KEY k3 (d, ts DESC), KEY k4 (tm), KEY k5 (de DESC, fl), KEY k6 (b DESC, e),
                    KEY k7 (bits, y DESC), KEY k8 (t(3), n), KEY k9 (b(2), n), KEY k10 (y, e, n))""",
                """
                INSERT INTO s.many WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 20000)
                SELECT i, IF(i % 5 = 0, NULL, i % 1000 - 300), IF(i % 11 = 0, NULL, CONCAT(ELT(i % 4 + 1, 'É', 'e', 'ß', 'ss'), LEFT(SHA2(i, 256), i % 6))),
                    IF(i % 9 = 0, NULL, IF(i % 13 = 0, '0000-00-00', '1970-01-01' + INTERVAL i % 9000 DAY)), IF(i % 4 = 0, NULL, '2000-01-01' + INTERVAL i HOUR),
                    IF(i % 8 = 0, NULL, SEC_TO_TIME(i * 17 - 100000)), (i % 7000 - 2000) / 7, IF(i % 3 = 0, NULL, -i * 1e-5 + i % 17), UNHEX(LEFT(SHA2(i, 256), i % 10 * 2)),
                    IF(i % 6 = 0, NULL, i % 3 + 1), i % 512, 1901 + i % 100, REPEAT('f', 100) FROM s""");
        List<Object> all = trino("SELECT count(*), sum(id) FROM many");
        for (int key = 1; key <= 10; key++) {
            Map<String, Long> totals = totals(run(List.of("--port", "" + cluster.mysql().port(), "--user", "reader", "--index", "k" + key), "many", "id"));
            assertThat(List.<Object>of(totals.get("rows"), totals.get("sum"))).as("key k" + key).isEqualTo(all);
            // A prefix of a text first, and SQL compares no bounds as the index does.
            assertThat(totals.get("ranges") > 1).as("key k" + key).isEqualTo(key != 8);
        }
    }

    @Test
    void testCommandsOfReadme()
            throws IOException
    {
        List<String> commands = COMMAND.matcher(Files.readString(FOLDER.resolve("README.md"))).results().map(command -> command.group(1)).toList();
        assertThat(commands).hasSize(3);
        for (String command : commands) {
            List<String> arguments = new ArrayList<>(Arrays.asList(command.strip().split(" ")));
            // The table and its column are those of this test.
            assertThat(arguments.subList(arguments.size() - 2, arguments.size())).containsExactly("shop.orders", "id");
            List<String> options = arguments.subList(0, arguments.size() - 2).stream().map(argument -> argument.equals("3306") ? "" + cluster.mysql().port() : argument).toList();
            Map<String, Long> totals = totals(run(options, "numbered", "amount"));
            assertThat(totals).containsEntry("rows", (long) ACCOUNTS).containsEntry("ranges", 16L);
            assertThat(totals.get("connections")).isBetween(2L, 4L);
        }
    }

    private Map<String, Long> read(String table, String column, String mode)
    {
        return totals(output(table, column, mode));
    }

    private String output(String table, String column, String mode)
    {
        List<String> options = new ArrayList<>(List.of("--port", "" + cluster.mysql().port(), "--user", "reader"));
        if (!mode.isEmpty()) {
            options.addAll(List.of(mode.split(" ")));
        }
        return run(options, table, column);
    }

    private String run(List<String> options, String table, String column)
    {
        List<String> arguments = new ArrayList<>(List.of(FOLDER.resolve("parallel_read.py").toString()));
        arguments.addAll(options);
        arguments.addAll(List.of("s." + table, column));
        return python.run(Map.of("PQ_PASSWORD", SECRET, "PYTHONDONTWRITEBYTECODE", "1"), arguments);
    }

    private static Map<String, Long> totals(String output)
    {
        return TOTAL.matcher(output).results().collect(Collectors.toMap(total -> total.group(1), total -> Long.parseLong(total.group(2))));
    }

    private List<Object> trino(String sql)
    {
        return cluster.query(sql).getMaterializedRows().getFirst().getFields();
    }
}
