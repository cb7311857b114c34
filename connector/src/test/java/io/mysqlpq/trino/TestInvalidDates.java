package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads dates that no calendar has, as an error and as NULL. */
@TestInstance(PER_CLASS)
class TestInvalidDates
{
    private MysqlServer mysql;
    private TestingTrino trino;
    private Session nulls;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION sql_mode = 'ALLOW_INVALID_DATES'",
                "CREATE TABLE test.dates (k INT PRIMARY KEY, d DATE, t DATETIME, f DATETIME(6), s TIMESTAMP NULL, u TIMESTAMP(6) NULL)",
                "INSERT INTO test.dates VALUES (1, '2020-02-29', '2020-02-29 12:00:00', '2020-02-29 12:00:00.5', '2020-02-29 12:00:00', '2020-02-29 12:00:00.5')",
                "INSERT INTO test.dates VALUES (2, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', '0000-00-00 00:00:00')",
                "INSERT INTO test.dates VALUES (3, NULL, NULL, NULL, NULL, NULL)",
                "INSERT INTO test.dates VALUES (4, '1969-07-20', '1969-07-20 20:17:40', '1969-07-20 20:17:40', '2001-01-01 00:00:00', '2001-01-01 00:00:00')",
                "CREATE TABLE test.partial_dates (k INT PRIMARY KEY, d DATE, t DATETIME)",
                "INSERT INTO test.partial_dates VALUES (1, '2026-00-15', '2026-00-15 01:02:03'), (2, '2026-05-00', '2026-05-00 01:02:03'), (3, '2026-02-31', '2026-02-31 01:02:03'), (4, '2026-02-28', '2026-02-28 01:02:03')",
                "CREATE TABLE test.keys_of_dates (d DATE NOT NULL, k INT, PRIMARY KEY (d, k))",
                "INSERT INTO test.keys_of_dates SELECT d, k FROM test.dates WHERE d IS NOT NULL",
                "CREATE TABLE test.large (k INT PRIMARY KEY, g INT, d DATE, t DATETIME(3), s TIMESTAMP NULL)",
                "INSERT INTO test.large WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 1000) SELECT i, i DIV 10, '2020-01-01' + INTERVAL i DAY, '2020-01-01' + INTERVAL i HOUR, '2020-01-01' + INTERVAL i MINUTE FROM s",
                "UPDATE test.large SET d = '0000-00-00', t = '2026-02-31', s = '0000-00-00' WHERE k = 500",
                "CREATE TABLE test.indexed (k INT PRIMARY KEY, d DATE, KEY (d))",
                "INSERT INTO test.indexed SELECT k, d FROM test.large");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("target-rows-per-split", "1"));
        nulls = trino.session(ImmutableMap.of("invalid_date_handling", "NULL"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"d", "t", "f", "s", "u"})
    void testErrorNamesColumnAndSetting(String column)
    {
        assertError("SELECT %s FROM dates".formatted(column), column, "0000-00-00");
        assertError("SELECT * FROM TABLE(system.query('SELECT %s FROM test.dates'))".formatted(column), column, "0000-00-00");
        // What is not read does no harm.
        assertThat(trino.execute("SELECT count(*) FROM dates").getOnlyValue()).isEqualTo(4L);
        assertThat(trino.execute("SELECT count(%s) FROM dates WHERE k <> 2".formatted(column)).getOnlyValue()).isEqualTo(2L);
    }

    @ParameterizedTest
    @CsvSource({"1, 2026-00-15", "2, 2026-05-00", "3, 2026-02-31"})
    void testErrorOfPartialDates(int key, String date)
    {
        assertError("SELECT d FROM partial_dates WHERE k = " + key, "d", date);
        assertError("SELECT t FROM partial_dates WHERE k = " + key, "t", date);
    }

    /** A query ends alike, whoever computes and however rows are read. */
    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT count(%s) FROM large",
            "SELECT max(%s) FROM large",
            "SELECT min(%s) FROM large",
            "SELECT count(DISTINCT %s) FROM large",
            "SELECT g, max(%s) FROM large GROUP BY g",
            "SELECT g, count(%s), sum(k) FROM large WHERE k > 100 GROUP BY g",
            "SELECT %s, count(*) FROM large GROUP BY 1",
            "SELECT DISTINCT %s FROM large",
            "SELECT %s FROM large",
            "SELECT max(a.%1$s) FROM large a JOIN large b ON a.k = b.k"})
    void testOneOutcomeOfAllWays(String sql)
    {
        Map<String, Map<String, String>> ways = ImmutableMap.of(
                "natively", ImmutableMap.of(),
                "by ranges", ImmutableMap.of("native_scan_enabled", "false"),
                "aggregated by Trino", ImmutableMap.of("native_aggregation_enabled", "false"),
                "in one split", ImmutableMap.of("parallel_reads_enabled", "false"),
                "by the driver", ImmutableMap.of("packet_decoding_enabled", "false", "parallel_reads_enabled", "false"),
                "joined in MySQL", ImmutableMap.of("join_pushdown_strategy", "EAGER", "parallel_reads_enabled", "false"),
                "as a small table", ImmutableMap.of("target_rows_per_split", "1000000"));
        for (String column : sql.contains("FROM large a") || sql.contains("GROUP BY") ? List.of("d") : List.of("d", "t", "s")) {
            ways.forEach((way, settings) -> assertThatThrownBy(() -> trino.execute(trino.session(settings), sql.formatted(column)))
                    .as("%s of %s %s", sql, column, way)
                    .hasMessageContaining("Column " + column)
                    .hasMessageContaining("not a valid date")
                    .hasMessageContaining("invalid_date_handling"));
        }
    }

    /** What a filter leaves out is not read, in any way. At an end of an index MySQL reads one date only. */
    @Test
    void testDatesThatAreNotRead()
    {
        for (Map<String, String> settings : List.<Map<String, String>>of(
                ImmutableMap.of(),
                ImmutableMap.of("native_scan_enabled", "false"),
                ImmutableMap.of("native_aggregation_enabled", "false"),
                ImmutableMap.of("parallel_reads_enabled", "false"),
                ImmutableMap.of("target_rows_per_split", "1000000"))) {
            Session session = trino.session(settings);
            assertThat(trino.execute(session, "SELECT count(d) FROM large WHERE d > DATE '2000-01-01'").getOnlyValue()).isEqualTo(999L);
            assertThat(trino.execute(session, "SELECT count(*) FROM large WHERE d < DATE '2000-01-01'").getOnlyValue()).isEqualTo(1L);
            assertThat(trino.execute(session, "SELECT CAST(max(d) AS varchar) FROM indexed").getOnlyValue()).isEqualTo("2022-09-27");
            assertThatThrownBy(() -> trino.execute(session, "SELECT min(d) FROM indexed")).hasMessageContaining("0000-00-00");
        }
    }

    private void assertError(String sql, String column, String date)
    {
        assertThatThrownBy(() -> trino.execute(sql))
                .hasMessageMatching("(?s).*Column %s of table test\\.\\w+ holds %s.*".formatted(column, date))
                .hasMessageContaining("invalid_date_handling")
                .hasMessageContaining("invalid-date-handling");
    }

    // The same filters with and without MySQL: what Trino reads decides.
    @ParameterizedTest
    @CsvSource({
            "d, DATE '2000-01-01'",
            "t, TIMESTAMP '2000-01-01 00:00:00'",
            "f, TIMESTAMP '2000-01-01 00:00:00'",
            "s, TIMESTAMP '2010-01-01 00:00:00 UTC'",
            "u, TIMESTAMP '2010-01-01 00:00:00 UTC'"})
    void testNullsInFilters(String column, String between)
    {
        assertKeys("SELECT k FROM dates WHERE %s IS NULL".formatted(column), 2, 3);
        assertKeys("SELECT k FROM dates WHERE %s IS NOT NULL".formatted(column), 1, 4);
        assertKeys("SELECT k FROM dates WHERE %s < %s".formatted(column, between), 4);
        assertKeys("SELECT k FROM dates WHERE %s < %s OR %1$s IS NULL".formatted(column, between), 2, 3, 4);
        assertKeys("SELECT k FROM dates WHERE %s > %s".formatted(column, between), 1);
        assertKeys("SELECT k FROM dates WHERE %s <> %s".formatted(column, between), 1, 4);
        assertKeys("SELECT k FROM dates WHERE NOT (%s < %s)".formatted(column, between), 1);
        assertKeys("SELECT a.k FROM dates a JOIN dates b ON a.%s = b.%1$s".formatted(column), 1, 4);
        assertThat(trino.execute(nulls, "SELECT count(%s), min(%1$s) > %s FROM dates WHERE %1$s > %2$s".formatted(column, between)).getMaterializedRows().getFirst().getFields())
                .containsExactly(1L, true);
        assertThat(trino.execute(nulls, "SELECT count(%s), count(*), count(DISTINCT %1$s), min(%1$s) < %s FROM dates".formatted(column, between)).getMaterializedRows().getFirst().getFields())
                .containsExactly(2L, 4L, 2L, true);
        assertThat(trino.execute(nulls, "SELECT k FROM dates ORDER BY %s ASC NULLS LAST LIMIT 1".formatted(column)).getOnlyValue()).isEqualTo(4);
        assertThat(trino.execute(nulls, "SELECT k FROM dates ORDER BY %s DESC NULLS FIRST, k LIMIT 1".formatted(column)).getOnlyValue()).isEqualTo(2);
    }

    @Test
    void testNullsOfPartialDates()
    {
        assertKeys("SELECT k FROM partial_dates WHERE d IS NULL", 1, 2, 3);
        assertKeys("SELECT k FROM partial_dates WHERE t IS NULL", 1, 2, 3);
        assertKeys("SELECT k FROM partial_dates WHERE d >= DATE '2026-01-01'", 4);
        assertKeys("SELECT x FROM TABLE(system.query('SELECT k AS x, d FROM test.partial_dates')) WHERE d IS NULL", 1, 2, 3);
    }

    @Test
    void testNullsInAKey()
    {
        assertKeys("SELECT k FROM keys_of_dates WHERE d IS NULL", 2);
        assertKeys("SELECT k FROM keys_of_dates WHERE d < DATE '2000-01-01'", 4);
        assertKeys("SELECT k FROM keys_of_dates", 1, 2, 4);
    }

    /** An invalid date is NULL to who reads it so. Another date that somebody puts there meanwhile is a change like any other. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "DATE| '0000-00-00'| '2026-02-28'",
            "DATE| '2026-00-15'| '2024-02-29'",
            "DATE| '2026-02-31'| '2026-12-31'",
            "DATE| '2026-05-00'| '0001-01-01'",
            "DATETIME(3)| '2026-02-30 01:02:03'| '2026-02-28 01:02:03'",
            "TIMESTAMP NULL| '0000-00-00'| '2001-01-01'",
            "DATE NOT NULL| '0000-00-00'| '2026-02-28'",
            "DATETIME(3) NOT NULL| '2026-02-30 01:02:03'| '2026-02-28 01:02:03'",
            "TIMESTAMP NOT NULL| '0000-00-00'| '2001-01-01'",
            "DATE| NULL| '2026-01-31'"})
    void testChangedMeanwhile(String type, String seen, String changed)
            throws Exception
    {
        mysql.execute(
                "SET SESSION sql_mode = 'ALLOW_INVALID_DATES'",
                "DROP TABLE IF EXISTS test.seen",
                "CREATE TABLE test.seen (id INT PRIMARY KEY, v %s, n INT)".formatted(type),
                "INSERT INTO test.seen VALUES (1, %s, 0), (2, %1$s, 0)".formatted(seen));
        String sql = "UPDATE seen SET n = n + IF(v IS NULL, 1, 2)";
        try (Connection other = mysql.connect(); Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("UPDATE test.seen SET v = %s WHERE id = 2".formatted(changed));
            CompletableFuture<MaterializedResult> change = Background.supply(() -> trino.execute(nulls, sql));
            Await.until("the change waits for the row", () -> !mysql.values("SELECT engine_transaction_id FROM performance_schema.data_locks WHERE lock_status = 'WAITING'").isEmpty());
            other.commit();
            assertThatThrownBy(change::join).hasMessageContaining("The row id = 2 of table test.seen was changed or deleted by another session");
        }
        assertThat(trino.execute(nulls, sql).getUpdateCount()).hasValue(2);
        assertThat(mysql.values("SELECT n FROM test.seen ORDER BY id")).containsExactly("1", "2");
    }

    /** No row is found by a key that reaches Trino as NULL: it is neither changed nor said to be. */
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void testChangesByAKey(String nonTransactional)
    {
        mysql.execute("SET SESSION sql_mode = 'ALLOW_INVALID_DATES'", "DROP TABLE IF EXISTS test.keyed", "CREATE TABLE test.keyed (d DATE PRIMARY KEY, n INT)", "INSERT INTO test.keyed VALUES ('0000-00-00', 1), ('2026-01-01', 2)");
        Session session = Session.builder(nulls).setCatalogSessionProperty("mysql_pq", "non_transactional_merge", nonTransactional).build();
        for (String sql : List.of("UPDATE keyed SET n = n + 1 WHERE n % 2 = 1", "DELETE FROM keyed WHERE n % 2 = 1")) {
            assertThatThrownBy(() -> trino.execute(session, sql)).hasMessageContaining("A row of table test.keyed can't be changed: column d of its primary key holds an invalid date").hasMessageContaining("system.execute");
        }
        assertThat(trino.execute(session, "UPDATE keyed SET n = n + 5 WHERE n % 2 = 0 AND d > DATE '2000-01-01'").getUpdateCount()).hasValue(1);
        assertThat(mysql.values("SELECT n FROM test.keyed ORDER BY d")).containsExactly("1", "7");
    }

    private void assertKeys(String sql, Integer... keys)
    {
        assertThat(trino.execute(nulls, sql).getOnlyColumnAsSet()).containsExactlyInAnyOrder((Object[]) keys);
    }
}
