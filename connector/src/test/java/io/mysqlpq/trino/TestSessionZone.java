package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.LocalDateTime;
import java.time.ZoneId;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Runs SQL of users and writes in the time zone of the JVM where MySQL knows it, and keeps instants right in it.
 *
 * <p>In the tests' zone, New York, 01:30 comes twice on 2021-11-07: at 05:30 and at 06:30 UTC.
 */
@TestInstance(PER_CLASS)
class TestSessionZone
{
    private static final String FIRST = "TIMESTAMP '2021-11-07 05:30:00 UTC'";
    private static final String SECOND = "TIMESTAMP '2021-11-07 06:30:00 UTC'";

    private final ZoneId zone = ZoneId.systemDefault();
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        assertThat(zone.getRules().getValidOffsets(LocalDateTime.of(2021, 11, 7, 1, 30))).hasSize(2);
        mysql = MysqlServer.builder().extension(true).option("default-time-zone", "+05:30").start();
        mysql.execute("CREATE DATABASE test");
        TimeZoneTables.load(mysql, zone);
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @BeforeEach
    void createTable()
    {
        mysql.execute(
                "DROP TABLE IF EXISTS test.t, test.seen",
                "CREATE TABLE test.t (k INT PRIMARY KEY, v TIMESTAMP(3) NULL, m INT)",
                "INSERT INTO test.t VALUES (1, '2021-11-07 05:30:00+00:00', 0), (2, '2021-11-07 06:30:00+00:00', 0)",
                "CREATE TABLE test.seen (zone VARCHAR(50))",
                "CREATE TRIGGER test.t_insert BEFORE INSERT ON test.t FOR EACH ROW INSERT INTO test.seen VALUES (@@time_zone)",
                "CREATE TRIGGER test.t_update BEFORE UPDATE ON test.t FOR EACH ROW INSERT INTO test.seen VALUES (@@time_zone)",
                "CREATE TRIGGER test.t_delete BEFORE DELETE ON test.t FOR EACH ROW INSERT INTO test.seen VALUES (@@time_zone)");
    }

    @Test
    void testSqlOfUsers()
    {
        assertThat(trino.execute("SELECT z FROM TABLE(system.query('SELECT @@time_zone AS z'))").getOnlyValue()).isEqualTo(zone.getId());
        trino.execute("CALL system.execute('INSERT INTO test.t VALUES (3, ''2021-07-01 12:00:00'', 0)')");
        assertKeys("v = TIMESTAMP '2021-07-01 16:00:00 UTC'", 3);
        assertSeenZones(zone.getId());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testWrites(boolean nonTransactional)
    {
        Session session = trino.session(ImmutableMap.of("non_transactional_insert", String.valueOf(nonTransactional), "non_transactional_merge", String.valueOf(nonTransactional)));
        trino.execute(session, "INSERT INTO t VALUES (3, %s, 0), (4, %s, 0)".formatted(FIRST, SECOND));
        trino.execute(session, "UPDATE t SET m = 1 WHERE k = 1");
        trino.execute(session, "UPDATE t SET m = m + k WHERE k % 2 = 1");
        trino.execute(session, "DELETE FROM t WHERE k = 2");
        // Through a temporary table MySQL would copy instants by their local time.
        assertSeenZones(nonTransactional ? new String[] {zone.getId()} : new String[] {zone.getId(), "+00:00"});
        assertKeys("v = " + FIRST, 1, 3);
        assertKeys("v = " + SECOND, 4);
        assertKeys("m = 2", 1);
        trino.execute(session, "UPDATE t SET v = %s WHERE k = 4".formatted(FIRST));
        trino.execute(session, "UPDATE t SET v = v + INTERVAL '1' HOUR WHERE k % 2 = 1");
        assertKeys("v = " + FIRST, 4);
        assertKeys("v = " + SECOND, 1, 3);
        trino.execute(session, "CREATE TABLE copied AS SELECT * FROM t");
        assertThat(trino.execute("SELECT count(*) FROM copied JOIN t USING (k, v)").getOnlyValue()).isEqualTo(3L);
        trino.execute("DROP TABLE copied");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testWritesWithoutInstants(boolean nonTransactional)
    {
        mysql.execute(
                "DROP TABLE IF EXISTS test.d",
                "CREATE TABLE test.d (k INT PRIMARY KEY, m INT)",
                "CREATE TRIGGER test.d_insert BEFORE INSERT ON test.d FOR EACH ROW INSERT INTO test.seen VALUES (@@time_zone)",
                "CREATE TRIGGER test.d_update BEFORE UPDATE ON test.d FOR EACH ROW INSERT INTO test.seen VALUES (@@time_zone)",
                "CREATE TRIGGER test.d_delete BEFORE DELETE ON test.d FOR EACH ROW INSERT INTO test.seen VALUES (@@time_zone)");
        Session session = trino.session(ImmutableMap.of("non_transactional_insert", String.valueOf(nonTransactional), "non_transactional_merge", String.valueOf(nonTransactional)));
        trino.execute(session, "INSERT INTO d (k, m) VALUES (1, 1), (2, 2), (3, 3)");
        trino.execute(session, "UPDATE d SET m = m + 1 WHERE k % 2 = 1");
        trino.execute(session, "DELETE FROM d WHERE k % 2 = 0");
        assertThat(trino.execute("SELECT k * 10 + m FROM d").getOnlyColumnAsSet()).containsExactlyInAnyOrder(12, 34);
        assertSeenZones(zone.getId());
    }

    // Compared in New York's time, MySQL would take one for the other.
    @Test
    void testFiltersOfInstants()
    {
        trino.execute("DELETE FROM t WHERE v = " + FIRST);
        assertKeys("true", 2);
        trino.execute("UPDATE t SET m = 7 WHERE v > " + FIRST);
        assertKeys("m = 7", 2);
        trino.execute("UPDATE t SET m = 8 WHERE v < %s OR v > %1$s".formatted(SECOND));
        assertKeys("m = 7", 2);
    }

    // In New York's time the second of them is the earlier one.
    @Test
    void testComparedInstants()
    {
        mysql.execute(
                "DROP TABLE IF EXISTS test.spans",
                "CREATE TABLE test.spans (k INT PRIMARY KEY, since TIMESTAMP NULL, until TIMESTAMP NULL, m INT)",
                "INSERT INTO test.spans VALUES (1, '2021-11-07 05:30:00+00:00', '2021-11-07 06:10:00+00:00', 0), (2, '2021-11-07 06:10:00+00:00', '2021-11-07 05:30:00+00:00', 0)");
        assertThat(trino.execute("SELECT k FROM spans WHERE since < until").getOnlyColumnAsSet()).containsExactly(1);
        trino.execute("UPDATE spans SET m = 5 WHERE since < until");
        assertThat(trino.execute("SELECT k FROM spans WHERE m = 5").getOnlyColumnAsSet()).containsExactly(1);
        trino.execute("DELETE FROM spans WHERE since < until");
        assertThat(trino.execute("SELECT k FROM spans").getOnlyColumnAsSet()).containsExactly(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void testKeysOfInstants(String nonTransactional)
    {
        mysql.execute("DROP TABLE IF EXISTS test.i", "CREATE TABLE test.i (k TIMESTAMP PRIMARY KEY, v INT)", "INSERT INTO test.i VALUES ('2021-11-07 05:30:00+00:00', 1), ('2021-11-07 06:30:00+00:00', 2)");
        Session session = trino.session(ImmutableMap.of("non_transactional_merge", nonTransactional));
        trino.execute(session, "UPDATE i SET v = v + 10 WHERE v % 2 = 0");
        assertThat(trino.execute("SELECT v FROM i WHERE k = " + SECOND).getOnlyValue()).isEqualTo(12);
        trino.execute(session, "DELETE FROM i WHERE v % 2 = 1");
        assertThat(trino.execute("SELECT v FROM i").getOnlyColumnAsSet()).containsExactly(12);
    }

    private void assertKeys(String condition, Integer... keys)
    {
        assertThat(trino.execute("SELECT k FROM t WHERE " + condition).getOnlyColumnAsSet()).containsExactlyInAnyOrder((Object[]) keys);
    }

    private void assertSeenZones(String... zones)
    {
        assertThat(trino.execute("SELECT zone FROM seen").getOnlyColumnAsSet()).containsExactlyInAnyOrder((Object[]) zones);
    }

    @Test
    void testUnknownZoneIsUtc()
            throws Exception
    {
        try (MysqlServer without = MysqlServer.builder().extension(false).option("default-time-zone", "+05:30").start()) {
            without.execute("CREATE DATABASE test");
            try (TestingTrino other = new TestingTrino(without, ImmutableMap.of())) {
                assertThat(other.execute("SELECT z FROM TABLE(system.query('SELECT @@time_zone AS z'))").getOnlyValue()).isEqualTo("+00:00");
                other.execute("CREATE TABLE t AS SELECT 1 AS k, %s AS v".formatted(FIRST));
                assertThat(other.execute("SELECT k FROM t WHERE v = " + FIRST).getOnlyValue()).isEqualTo(1);
            }
        }
    }
}
