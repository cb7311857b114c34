package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Counts what MySQL is asked for a look-up by a unique key, and changes what is remembered of the table. */
@TestInstance(PER_CLASS)
class TestPointLookups
{
    private static final int MOST_STATEMENTS = 8;
    private static final String LOOKUP = "SELECT v, name FROM numbers WHERE k = 7";

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'",
                "CREATE DATABASE test");
        TimeZoneTables.load(mysql, ZoneId.systemDefault());
        // Whether a connection is to be opened anew would be chance.
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("join-pushdown.enabled", "false", "connection-idle-timeout", "1h", "connection-max-lifetime", "2h"));
    }

    @BeforeEach
    void createTable()
    {
        mysql.execute(
                // MySQL 8.4 drops no view of the name of a table, and says so.
                "DROP TABLE IF EXISTS test.numbers, test.old_numbers",
                "DROP VIEW IF EXISTS test.numbers",
                "CREATE TABLE test.numbers (k BIGINT PRIMARY KEY, v INT NOT NULL, name VARCHAR(10))",
                "INSERT INTO test.numbers VALUES (6, 60, 'six'), (7, 70, 'seven'), (8, 80, 'eight')");
        // The first query asks for the keys, and later ones remember them.
        trino.execute(LOOKUP);
        trino.execute(LOOKUP);
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testStatements()
    {
        forgetStatements();
        assertThat(trino.execute(LOOKUP).getMaterializedRows().getFirst().getFields()).containsExactly(70, "seven");
        // The test's own tracing prints a handle that has no filter yet, and for that the table's key is read.
        assertThat(statements("%"))
                .noneMatch(sql -> sql.contains("mysql_pq_snapshot") || sql.contains("START TRANSACTION"))
                .noneMatch(sql -> sql.contains("@@session.") || sql.contains("TABLE_CAT") || sql.contains("COLUMN_NAME"))
                .noneMatch(sql -> sql.contains("cardinality") || sql.contains("histogram") || sql.contains("PK_NAME") || sql.contains("EXPLAIN"))
                .hasSizeLessThanOrEqualTo(MOST_STATEMENTS);
    }

    /** The optimizer asks for a table's statistics again and again, and with what is pushed down once more. */
    @Test
    void testStatementsOfADashboard()
    {
        String query = "SELECT name, count(*) FROM numbers WHERE v < %s GROUP BY name";
        for (int number : List.of(75, 85, 95)) {
            trino.execute(query.formatted(number));
        }
        forgetStatements();
        assertThat(trino.execute(query.formatted(65)).getRowCount()).isEqualTo(1);
        // First, as each look at the statements opens one too.
        assertThat(statements("%@@session.auto_increment_increment%")).as("connections that were opened").isEmpty();
        assertThat(statements("%table_rows FROM information_schema.tables%")).hasSize(1);
        assertThat(statements("%cardinality FROM information_schema.statistics%")).hasSize(1);
        assertThat(statements("%histogram FROM information_schema.column_statistics%")).hasSize(1);
        assertThat(statements("%SHOW CREATE TABLE%")).hasSize(1);
    }

    /** A dashboard gives each refresh a snapshot group of its own, and reads no dictionary for it. */
    @Test
    void testSettingsWithoutInfluenceOnTypes()
    {
        for (Map<String, String> settings : List.of(Map.of("snapshot_group", "refresh 1"), Map.of("snapshot_group", "refresh 2"), Map.of("target_rows_per_split", "77"))) {
            forgetStatements();
            trino.execute(trino.session(settings), LOOKUP);
            assertThat(statements("%")).as("%s", settings).noneMatch(TestPointLookups::readsColumns);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"flush_metadata_cache", "flush_planning_cache"})
    void testFlushForgetsColumns(String procedure)
    {
        forgetStatements();
        trino.execute(LOOKUP);
        assertThat(statements("%")).noneMatch(TestPointLookups::readsColumns);
        trino.execute("CALL system.%s()".formatted(procedure));
        trino.execute(LOOKUP);
        assertThat(statements("%")).anyMatch(TestPointLookups::readsColumns);
    }

    private static boolean readsColumns(String sql)
    {
        return sql.contains("COLUMN_NAME") && sql.contains("TABLE_SCHEMA");
    }

    /** What new sessions get must not cut what is read of the dictionary, nor of tables. */
    @Test
    void testSettingsOfNewSessions()
    {
        List<String> hostile = List.of(
                "time_zone = '+03:00'", "autocommit = 0", "completion_type = 'RELEASE'", "character_set_results = latin1", "character_set_client = latin1", "character_set_connection = latin1",
                "init_connect = 'SET NAMES latin1, time_zone = ''+05:00'', sql_select_limit = 2, autocommit = 0'",
                "sql_select_limit = 1", "max_join_size = 1", "sql_big_selects = 0", "sql_auto_is_null = 1", "div_precision_increment = 0", "group_concat_max_len = 4", "max_sort_length = 4",
                "sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE,IGNORE_SPACE,REAL_AS_FLOAT,ONLY_FULL_GROUP_BY,NO_UNSIGNED_SUBTRACTION,TIME_TRUNCATE_FRACTIONAL,STRICT_TRANS_TABLES'");
        List<String> queries = List.of(
                "SHOW SCHEMAS",
                "SHOW TABLES",
                "DESCRIBE numbers",
                "SHOW STATS FOR numbers",
                "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'test'",
                "SELECT * FROM numbers",
                "SELECT * FROM numbers WHERE k IS NULL OR k > 6",
                "SELECT avg(d), max(t), count(DISTINCT t) FROM texts",
                "SELECT t FROM texts ORDER BY t LIMIT 2",
                "SELECT a.k FROM texts a JOIN texts b ON a.d = b.d",
                "SELECT t FROM texts WHERE t LIKE 'prefix _' OR t = 'a\\b'",
                "SELECT * FROM TABLE(system.query('SELECT k, t, d, i, b, NOW() > TIMESTAMP ''2020-01-01 00:00:00'' AS n FROM test.texts'))",
                "SELECT * FROM TABLE(system.query('SELECT k, ''é漢𝄞'' AS text FROM test.texts WHERE k IS NULL OR t LIKE ''prefix _'' '))",
                "SELECT * FROM TABLE(system.query('SELECT k FROM test.texts WHERE i = ''2020-02-29 12:00:00'' '))",
                "SELECT * FROM TABLE(system.query('SELECT a.k FROM test.texts a JOIN test.texts b ON a.d >= b.d'))");
        mysql.execute(
                "DROP TABLE IF EXISTS test.texts",
                "SET SESSION time_zone = '%s'".formatted(ZoneId.systemDefault()),
                "CREATE TABLE test.texts (k INT PRIMARY KEY, t VARCHAR(50), d DECIMAL(10, 2), i TIMESTAMP, b CHAR(5) CHARACTER SET latin2)",
                "INSERT INTO test.texts VALUES (1, 'prefix b', 1, '2020-02-29 12:00:00', 'ő'), (2, 'prefix a', 2, '2020-02-29 12:00:00', 'x'), (3, 'prefix c', 2, '2021-02-28 12:00:00', NULL)",
                "CREATE TABLE test.copies (k INT PRIMARY KEY, t VARCHAR(50), d DECIMAL(10, 2), i TIMESTAMP, b CHAR(5) CHARACTER SET latin2)",
                "CREATE USER IF NOT EXISTS plain",
                "GRANT ALL ON test.* TO plain");
        Map<String, List<MaterializedRow>> expected = queries.stream().collect(toImmutableMap(sql -> sql, sql -> trino.execute(sql).getMaterializedRows()));
        hostile.forEach(setting -> mysql.execute("SET GLOBAL " + setting));
        try {
            // init_connect is not run for administrators.
            for (String user : List.of("root", "plain")) {
                String catalog = "hostile_to_" + user;
                trino.runner().createCatalog(catalog, "mysql_pq", ImmutableMap.of("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true", "connection-user", user));
                Session session = Session.builder(trino.runner().getDefaultSession()).setCatalog(catalog).build();
                expected.forEach((sql, rows) -> {
                    if (user.equals("root") || !sql.equals("SHOW SCHEMAS")) {
                        assertThat(trino.execute(session, sql).getMaterializedRows()).as("%s: %s", user, sql).isNotEmpty().containsExactlyInAnyOrderElementsOf(rows);
                    }
                });
                trino.execute(session, "INSERT INTO copies SELECT * FROM texts");
                trino.execute(session, "UPDATE copies SET t = concat(t, 'é漢') WHERE length(t) > 3");
                assertThat(trino.execute("SELECT count(*) FROM copies c JOIN texts t ON c.k = t.k WHERE c.t = concat(t.t, 'é漢') AND c.i = t.i AND c.b IS NOT DISTINCT FROM t.b").getOnlyValue()).isEqualTo(3L);
                assertThat(trino.execute(session, "DELETE FROM copies WHERE k > 0").getUpdateCount()).hasValue(3);
            }
        }
        finally {
            hostile.forEach(setting -> mysql.execute("SET GLOBAL %s = DEFAULT".formatted(setting.substring(0, setting.indexOf(' ')))));
            mysql.execute("DROP TABLE IF EXISTS test.texts, test.copies");
        }
    }

    @Test
    void testSettings()
    {
        for (String setting : List.of("EXACT", "AUTO")) {
            forgetStatements();
            assertThat(trino.execute(trino.session(ImmutableMap.of("snapshot_mode", setting)), LOOKUP).getRowCount()).isEqualTo(1);
            assertThat(statements("%snapshot_adopt%")).hasSize(setting.equals("EXACT") ? 1 : 0);
        }
        forgetStatements();
        trino.execute(trino.session(ImmutableMap.of("snapshot_group", "lookups", "snapshot_group_age", "1s")), LOOKUP);
        assertThat(statements("%snapshot_adopt%")).hasSize(1);
    }

    /** Several scans share a snapshot, also where the query names the table only once. */
    @Test
    void testSeveralScansSeeOneMoment()
    {
        for (String query : List.of(
                "SELECT a.v + b.v FROM numbers a, numbers b WHERE a.k = 7 AND b.k = 7",
                "WITH seven AS (SELECT v FROM numbers WHERE k = 7) SELECT a.v + b.v FROM seven a, seven b",
                "SELECT sum(v) FROM (SELECT v FROM numbers WHERE k = 7 UNION ALL SELECT v FROM numbers WHERE k = 7)")) {
            forgetStatements();
            assertThat(((Number) trino.execute(query).getOnlyValue()).longValue()).isEqualTo(140);
            assertThat(statements("%snapshot_adopt%")).as(query).hasSize(2);
            assertThat(statements("%snapshot_export%")).as(query).hasSize(1);
        }
    }

    /** The key is remembered, though it is gone. */
    @Test
    void testKeyThatIsDropped()
    {
        mysql.execute("ALTER TABLE test.numbers DROP PRIMARY KEY", "INSERT INTO test.numbers VALUES (7, 71, 'seven too')");
        assertThat(trino.execute(LOOKUP).getRowCount()).isEqualTo(2);
        assertThat(trino.execute("SELECT count(*), sum(v) FROM numbers WHERE k = 7").getMaterializedRows().getFirst().getFields()).containsExactly(2L, 141L);
    }

    /** Each is seen by the next query. */
    @Test
    void testAlteredTable()
    {
        mysql.execute("ALTER TABLE test.numbers ADD COLUMN more INT DEFAULT 5");
        assertThat(row("SELECT * FROM numbers WHERE k = 7")).containsExactly(7L, 70, "seven", 5);
        mysql.execute("ALTER TABLE test.numbers MODIFY v VARCHAR(20), DROP COLUMN more");
        assertThat(row("SELECT * FROM numbers WHERE k = 7")).containsExactly(7L, "70", "seven");
        mysql.execute("ALTER TABLE test.numbers RENAME COLUMN v TO w");
        assertThat(row("SELECT w FROM numbers WHERE k = 7")).containsExactly("70");
        mysql.execute("ALTER TABLE test.numbers MODIFY name VARCHAR(10) COMMENT 'what it is called', COMMENT 'of the number'");
        assertThat(row("SHOW CREATE TABLE numbers").getFirst().toString()).contains("what it is called", "of the number");
        mysql.execute("ALTER TABLE test.numbers ALTER COLUMN w SET INVISIBLE");
        assertThat(row("SELECT name, w FROM numbers WHERE k = 7")).containsExactly("seven", "70");
        mysql.execute("DROP TABLE test.numbers", "CREATE TABLE test.numbers (k INT PRIMARY KEY, x DATE)", "INSERT INTO test.numbers VALUES (7, '2026-11-22')");
        assertThat(row("SELECT CAST(x AS varchar) FROM numbers WHERE k = 7")).containsExactly("2026-11-22");
        mysql.execute("RENAME TABLE test.numbers TO test.old_numbers", "CREATE VIEW test.numbers AS SELECT k, 1 AS one FROM test.old_numbers");
        assertThat(row("SELECT * FROM numbers WHERE k = 7")).containsExactly(7, 1);
        mysql.execute("DROP VIEW test.numbers", "DROP TABLE test.old_numbers");
        assertThatThrownBy(() -> trino.execute("SELECT * FROM numbers WHERE k = 7")).hasMessageContaining("does not exist");
    }

    /** A session that MySQL has open keeps rights that were revoked everywhere. */
    @Test
    void testRightsThatChange()
            throws Exception
    {
        mysql.execute("DROP USER IF EXISTS reader", "CREATE USER reader", "GRANT SELECT ON *.* TO reader");
        try (TestingTrino reader = TestingTrino.oneNode(mysql, "reader", ImmutableMap.of())) {
            String sql = "SELECT * FROM numbers WHERE k = 7";
            for (int i = 0; i < 3; i++) {
                assertThat(row(reader, sql)).containsExactly(7L, 70, "seven");
            }
            mysql.execute("REVOKE SELECT ON *.* FROM reader", "GRANT SELECT (k, v) ON test.numbers TO reader");
            assertThat(row(reader, sql)).containsExactly(7L, 70);
            mysql.execute("GRANT SELECT ON test.numbers TO reader");
            for (int i = 0; i < 3; i++) {
                assertThat(row(reader, sql)).containsExactly(7L, 70, "seven");
            }
            mysql.execute("REVOKE SELECT ON test.numbers FROM reader");
            assertThatThrownBy(() -> reader.execute(sql)).hasMessageContaining("does not exist");
        }
    }

    /** Rights may come from a role, and be revoked of a part only. */
    @Test
    void testRightsOfRoles()
            throws Exception
    {
        mysql.execute(
                "DROP USER IF EXISTS reader",
                "DROP ROLE IF EXISTS readers",
                "SET GLOBAL partial_revokes = ON",
                "CREATE ROLE readers",
                "CREATE USER reader",
                "GRANT readers TO reader",
                "SET DEFAULT ROLE ALL TO reader");
        String sql = "SELECT * FROM numbers WHERE k = 7";
        try (TestingTrino reader = TestingTrino.oneNode(mysql, "reader", ImmutableMap.of())) {
            assertRightsEnd(reader, sql, "GRANT SELECT ON test.* TO readers", "REVOKE SELECT ON test.* FROM readers");
            assertRightsEnd(reader, sql, "GRANT SELECT ON *.* TO readers", "REVOKE SELECT ON *.* FROM readers");
            assertRightsEnd(reader, sql, "GRANT SELECT ON *.* TO reader", "REVOKE SELECT ON test.* FROM reader");
            mysql.execute("REVOKE SELECT ON *.* FROM reader", "GRANT SELECT ON test.numbers TO readers");
            assertRightsEnd(reader, sql, "GRANT readers TO reader", "REVOKE readers FROM reader");
            assertRightsEnd(reader, sql, "GRANT readers TO reader", "DROP ROLE readers");
            assertRightsEnd(reader, sql, "GRANT SELECT ON test.* TO reader", "DROP USER reader");
        }
        finally {
            mysql.execute("DROP USER IF EXISTS reader", "DROP ROLE IF EXISTS readers", "SET GLOBAL partial_revokes = OFF");
        }
    }

    private void assertRightsEnd(TestingTrino reader, String sql, String grant, String revoke)
    {
        // A role that was taken away is no default any more.
        mysql.execute(grant, "SET DEFAULT ROLE ALL TO reader");
        for (int i = 0; i < 3; i++) {
            assertThat(row(reader, sql)).as(grant).containsExactly(7L, 70, "seven");
        }
        mysql.execute(revoke);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> reader.execute(sql)).as(revoke).isNotNull();
        }
    }

    /** What one account may see is not shown to another, nor to whom has only its name. */
    @Test
    void testCredentialsOfQueries()
            throws Exception
    {
        mysql.execute(
                "DROP USER IF EXISTS anna, bert, carl",
                "CREATE USER anna IDENTIFIED BY 'apfel'",
                "CREATE USER bert IDENTIFIED BY 'birne'",
                "CREATE USER carl IDENTIFIED BY 'dattel'",
                "GRANT SELECT ON test.numbers TO anna",
                "GRANT SELECT (k, name) ON test.numbers TO carl");
        try (TestingTrino many = TestingTrino.oneNode(mysql, "nobody", ImmutableMap.of("user-credential-name", "mysql_user", "password-credential-name", "mysql_password"))) {
            String sql = "SELECT * FROM numbers WHERE k = 7";
            for (int i = 0; i < 3; i++) {
                assertThat(many.execute(session(many, "anna", "apfel"), sql).getMaterializedRows().getFirst().getFields()).containsExactly(7L, 70, "seven");
                assertThatThrownBy(() -> many.execute(session(many, "anna", "birne"), sql)).hasMessageContaining("Access denied");
                assertThatThrownBy(() -> many.execute(session(many, "bert", "birne"), sql)).hasMessageContaining("does not exist");
                assertThat(many.execute(session(many, "carl", "dattel"), sql).getMaterializedRows().getFirst().getFields()).containsExactly(7L, "seven");
                assertThatThrownBy(() -> many.execute(session(many, "carl", "dattel"), "SELECT v FROM numbers WHERE k = 7")).hasMessageContaining("'v'");
            }
        }
    }

    private static Session session(TestingTrino trino, String user, String password)
    {
        return Session.builder(trino.runner().getDefaultSession())
                .setIdentity(Identity.forUser("somebody").withExtraCredentials(ImmutableMap.of("mysql_user", user, "mysql_password", password)).build())
                .build();
    }

    /** The comment is read before the definition that it is remembered with. */
    @Test
    void testCommentThatChangesMeanwhile()
    {
        Random random = Seed.random();
        for (int i = 0; i < 80; i++) {
            mysql.execute("ALTER TABLE test.numbers COMMENT 'before %s'".formatted(i));
            CompletableFuture<Void> query = Background.run(() -> trino.execute("SHOW CREATE TABLE numbers"));
            LockSupport.parkNanos(random.nextLong(30_000_000));
            mysql.execute("ALTER TABLE test.numbers COMMENT 'after %s'".formatted(i));
            query.join();
            assertThat(row("SHOW CREATE TABLE numbers").getFirst().toString()).contains("after " + i);
        }
    }

    /** However many look-ups a query has, and whether or not it names one only, they see one moment while others write. */
    @Test
    void testMomentUnderWrites()
    {
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Void> writer = Background.run(() -> {
            while (!stopped.get()) {
                mysql.execute("UPDATE test.numbers SET v = v + IF(k = 6, 1, -1) WHERE k IN (6, 7)");
            }
        });
        try {
            for (int i = 0; i < 20; i++) {
                assertThat(trino.execute("SELECT a.v - b.v FROM numbers a, numbers b WHERE a.k = 7 AND b.k = 7").getOnlyValue()).isEqualTo(0);
                assertThat(trino.execute("SELECT (SELECT v FROM numbers WHERE k = 6) + (SELECT v FROM numbers WHERE k = 7)").getOnlyValue()).isEqualTo(130);
                assertThat(trino.execute("WITH seven AS (SELECT v FROM numbers WHERE k = 7) SELECT count(DISTINCT v) FROM (SELECT v FROM seven UNION ALL SELECT v FROM seven)").getOnlyValue()).isEqualTo(1L);
                assertThat(trino.execute("SELECT count(*) FROM numbers a WHERE k = 7 AND v = (SELECT v FROM numbers b WHERE b.k = a.k)").getOnlyValue()).isEqualTo(1L);
            }
        }
        finally {
            stopped.set(true);
            writer.join();
        }
    }

    /** A filter that comes of another catalog makes a look-up of the only scan. */
    @Test
    void testDynamicFilter()
    {
        forgetStatements();
        assertThat(row("SELECT v, name FROM numbers JOIN tpch.tiny.region ON k = r_regionkey + 3 WHERE r_name = 'MIDDLE EAST'")).containsExactly(70, "seven");
        assertThat(statements("%snapshot_adopt%")).isEmpty();
    }

    @Test
    void testNothingIsRemembered()
            throws Exception
    {
        try (TestingTrino forgetful = TestingTrino.oneNode(mysql, ImmutableMap.of("max-remembered-tables", "0"))) {
            for (int i = 0; i < 3; i++) {
                forgetStatements();
                assertThat(row(forgetful, LOOKUP)).containsExactly(70, "seven");
                assertThat(statements("%SHOW CREATE TABLE%")).isEmpty();
                assertThat(statements("%TABLE_CAT%")).isNotEmpty();
                assertThat(statements("%snapshot_adopt%")).hasSize(1);
            }
        }
    }

    /** What a setting makes of a column is not remembered for others. */
    @Test
    void testTypesBySession()
    {
        mysql.execute("ALTER TABLE test.numbers ADD COLUMN y YEAR NOT NULL DEFAULT 2026");
        for (int i = 0; i < 3; i++) {
            assertThat(trino.execute(trino.session(ImmutableMap.of("extended_types", "true")), "SELECT y FROM numbers WHERE k = 7").getOnlyValue()).isEqualTo(2026);
            assertThat(trino.execute("SELECT CAST(y AS varchar) FROM numbers WHERE k = 7").getOnlyValue()).isEqualTo("2026-01-01");
        }
    }

    private List<Object> row(String sql)
    {
        return row(trino, sql);
    }

    private static List<Object> row(TestingTrino trino, String sql)
    {
        return trino.execute(sql).getMaterializedRows().getFirst().getFields();
    }

    @Test
    void testLevel()
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), "EXPLAIN ANALYZE VERBOSE " + LOOKUP);
        assertThat(result.result().getOnlyValue().toString()).contains("read=[one split: point lookup]", "scansBySnapshotLevel.EXACT");
    }

    private void forgetStatements()
    {
        mysql.awaitStatementsRecorded();
        mysql.execute("TRUNCATE performance_schema.events_statements_history_long");
    }

    private List<String> statements(String pattern)
    {
        return mysql.values("SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '%s' AND sql_text NOT LIKE '%%history_long%%' AND thread_id <> ps_current_thread_id()".formatted(pattern));
    }
}
