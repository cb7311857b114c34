package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                "INSERT INTO test.keys_of_dates SELECT d, k FROM test.dates WHERE d IS NOT NULL");
        trino = new TestingTrino(mysql, ImmutableMap.of("target-rows-per-split", "1"));
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

    private void assertError(String sql, String column, String date)
    {
        assertThatThrownBy(() -> trino.execute(sql))
                .hasMessageContaining("Column %s holds %s".formatted(column, date))
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

    private void assertKeys(String sql, Integer... keys)
    {
        assertThat(trino.execute(nulls, sql).getOnlyColumnAsSet()).containsExactlyInAnyOrder((Object[]) keys);
    }
}
