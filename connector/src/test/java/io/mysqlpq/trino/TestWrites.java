package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.airlift.testing.TestingTicker;
import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.write.AbandonedTables;
import io.mysqlpq.trino.write.AbandonedTablesConfig;
import io.trino.Session;
import io.trino.execution.QueryManager;
import io.trino.server.BasicQueryInfo;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static io.trino.plugin.base.TemporaryTables.generateTemporaryTableName;
import static io.trino.testing.TestingConnectorSession.SESSION;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Writes and changes tables and rows. */
@TestInstance(PER_CLASS)
class TestWrites
{
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute("CREATE DATABASE test");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of(
                "range-source", "EXTENSION",
                "target-rows-per-split", "500"));
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
                "SET SESSION cte_max_recursion_depth = 1000000",
                "DROP TABLE IF EXISTS test.t",
                "CREATE TABLE test.t (a BIGINT, b VARCHAR(20), c INT, PRIMARY KEY (a, b))",
                "INSERT INTO test.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 5000) SELECT n, CONCAT('b', n), n FROM s");
    }

    @Test
    void testInsert()
    {
        trino.execute("INSERT INTO t SELECT a + 5000, b, c FROM t");
        assertState(10_000, 2L * 5000 * 5001 / 2);
    }

    // Columns with a default of any kind may be left out, others not, and the staged rows show it.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testRequiredColumns(boolean nonTransactional)
    {
        mysql.execute(
                "DROP TABLE IF EXISTS test.required",
                """
                CREATE TABLE test.required (
                id INT AUTO_INCREMENT PRIMARY KEY, a INT NOT NULL, b INT NOT NULL, c INT NOT NULL DEFAULT 3, d VARCHAR(40) NOT NULL DEFAULT (UUID()),
                e ENUM('x', 'y') NOT NULL, f TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, g INT AS (a + 1) VIRTUAL NOT NULL, h BIT(10) NOT NULL DEFAULT b'1')""");
        Session session = trino.session(ImmutableMap.of("non_transactional_insert", String.valueOf(nonTransactional)));
        assertThatThrownBy(() -> trino.execute(session, "INSERT INTO required (a) VALUES (1)")).hasMessage("Failed to insert data: Field 'b' doesn't have a default value");
        assertThatThrownBy(() -> trino.execute(session, "INSERT INTO required (a, b) VALUES (1, NULL)")).hasMessageContaining("NULL value not allowed for NOT NULL column: b");
        trino.execute(session, "INSERT INTO required (b, a) VALUES (2, 1)");
        assertThat(mysql.values("SELECT CONCAT_WS('-', a, b, c, LENGTH(d), e, f > '2000-01-01', g, h + 0) FROM test.required")).containsExactly("1-2-3-36-x-1-2-1");
        mysql.execute("ALTER TABLE test.required ADD COLUMN i BIT(10) NOT NULL");
        // A column that Trino does not see.
        assertThatThrownBy(() -> trino.execute(session, "INSERT INTO required (b, a) VALUES (2, 1)")).hasMessage("Failed to insert data: Field 'i' doesn't have a default value");
        assertThat(temporaryTables()).isEmpty();
    }

    // A temporary table has the id of the writer too.
    @Test
    void testInsertIntoAsManyColumnsAsThereCanBe()
    {
        mysql.execute("DROP TABLE IF EXISTS test.wide", IntStream.range(0, 1017).mapToObj("c%d INT"::formatted).collect(joining(", ", "CREATE TABLE test.wide (", ", PRIMARY KEY (c0))")), "INSERT INTO test.wide (c0, c5) VALUES (0, 7)");
        String insert = "INSERT INTO wide SELECT c0 + 1, %s FROM wide".formatted(IntStream.range(1, 1017).mapToObj("c%d"::formatted).collect(joining(", ")));
        String update = "UPDATE wide SET c5 = c5 + 1";
        for (String sql : List.of(insert, update)) {
            assertThatThrownBy(() -> trino.execute(sql)).as(sql).hasMessageContaining("table test.wide").hasMessageContaining("Too many columns").hasMessageContaining("non_transactional_insert");
            assertThat(temporaryTables()).isEmpty();
        }
        Session nonTransactional = trino.session(ImmutableMap.of("non_transactional_merge", "true", "non_transactional_insert", "true"));
        trino.execute(nonTransactional, insert);
        trino.execute(nonTransactional, update);
        trino.execute("INSERT INTO wide (c0, c6) VALUES (9, 8)");
        assertThat(mysql.values("SELECT CONCAT_WS('-', c0, c5, c6) FROM test.wide ORDER BY c0")).containsExactly("0-8", "1-8", "9-8");
    }

    // Whatever ends a write: MySQL's refusal, Trino's failure, a user.
    @Test
    void testFailedWritesLeaveNoTables()
    {
        mysql.execute("DROP TABLE IF EXISTS test.target", "CREATE TABLE test.target (k BIGINT PRIMARY KEY, v VARCHAR(100))", "INSERT INTO test.target VALUES (1, 'a'), (1000, 'b')");
        String many = "SELECT l_orderkey * 10 + l_linenumber AS k, l_comment AS v FROM tpch.sf1.lineitem";
        for (String sql : List.of(
                "INSERT INTO target " + many,
                "CREATE TABLE made AS " + many,
                "MERGE INTO target t USING (%s) s ON t.k = s.k WHEN NOT MATCHED THEN INSERT VALUES (s.k, s.v)".formatted(many),
                "UPDATE target SET v = (SELECT max(v) FROM (%s)) WHERE k > 0".formatted(many))) {
            CompletableFuture<MaterializedResult> write = Background.supply(() -> trino.execute(sql));
            Await.until("the write has its table", () -> !temporaryTables().isEmpty());
            cancelAll();
            assertThatThrownBy(write::join).as(sql).hasMessageContaining("canceled");
            Await.until("no table is left by " + sql, () -> temporaryTables().isEmpty());
        }
        for (String sql : List.of(
                "INSERT INTO target VALUES (1, 'x')",
                "INSERT INTO target SELECT 5 / (x - 3), 'x' FROM UNNEST(sequence(1, 5)) AS s (x)",
                "CREATE TABLE made AS SELECT 5 / (x - 3) AS y FROM UNNEST(sequence(1, 5)) AS s (x)",
                "UPDATE target SET v = CAST(1 / (k - k) AS VARCHAR)",
                "DELETE FROM target WHERE 1 / (k - 1) > 0")) {
            assertThatThrownBy(() -> trino.execute(sql)).as(sql).isInstanceOf(RuntimeException.class);
            Await.until("no table is left by " + sql, () -> temporaryTables().isEmpty());
        }
        assertThat(mysql.values("SELECT CONCAT(k, v) FROM test.target ORDER BY k")).containsExactly("1a", "1000b");
        assertThat(mysql.values("SHOW TABLES FROM test LIKE 'made'")).isEmpty();
    }

    // A coordinator that went down drops nothing. Names that are not exactly Trino's are a user's, and tables of living queries stay, as do those that somebody writes to.
    @Test
    void testTablesOfDeadQueries()
            throws Exception
    {
        String living = generateTemporaryTableName(SESSION);
        List<String> kept = List.of("t", "tmp_trino_0123abcd_89abcdeg", "tmp_trino_0123abcd_89abcdef0", "tmp_trino_mine", "tmpXtrino_0123abcd_89abcdef", "tmp_trino_fedcba98_76543210", living);
        mysql.execute("CREATE DATABASE dead", "CREATE TABLE dead.tmp_trino_0123abcd_89abcdef (k INT)", "CREATE VIEW dead.tmp_trino_01234567_01234567 AS SELECT 1 AS k");
        mysql.execute(kept.stream().map("CREATE TABLE dead.%s (k INT)"::formatted).toArray(String[]::new));
        TestingTicker ticker = new TestingTicker();
        AbandonedTables tables = new AbandonedTables(_ -> mysql.connect(), (_, sql) -> sql, new AbandonedTablesConfig().setTemporaryTableMaxAge(new Duration(1, MILLISECONDS)), ticker);
        tables.beginQuery(SESSION);
        try (Connection writer = mysql.connect(); Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("INSERT INTO dead.tmp_trino_fedcba98_76543210 VALUES (1)");
            Await.until("MySQL's clock is a second on", () -> mysql.values("SELECT 1 FROM information_schema.tables WHERE table_schema = 'dead' AND create_time >= NOW()").isEmpty());
            tables.drop(SESSION, "dead");
            assertThat(mysql.values("SHOW TABLES FROM dead")).contains("tmp_trino_01234567_01234567").containsAll(kept).hasSize(kept.size() + 1);
        }
        // Once an hour.
        mysql.execute("DROP TABLE dead.tmp_trino_fedcba98_76543210");
        tables.cleanupQuery(SESSION);
        tables.drop(SESSION, "dead");
        assertThat(mysql.values("SHOW TABLES FROM dead")).contains(living);
        ticker.increment(1, HOURS);
        tables.drop(SESSION, "dead");
        assertThat(mysql.values("SHOW TABLES FROM dead")).doesNotContain(living).hasSize(kept.size() - 1);
        mysql.execute("DROP DATABASE dead");
    }

    private List<String> temporaryTables()
    {
        return mysql.values("SELECT table_name FROM information_schema.tables WHERE table_schema = 'test' AND table_name LIKE 'tmp!_trino!_%' ESCAPE '!'");
    }

    private void cancelAll()
    {
        QueryManager queries = trino.runner().getCoordinator().getQueryManager();
        queries.getQueries().stream().filter(query -> !query.getState().isDone()).map(BasicQueryInfo::getQueryId).forEach(queries::cancelQuery);
    }

    @Test
    void testPushedDelete()
    {
        assertThat(trino.execute("DELETE FROM t WHERE a <= 1000").getUpdateCount()).hasValue(1000);
        assertState(4000, 5000L * 5001 / 2 - 1000L * 1001 / 2);
    }

    @Test
    void testPushedUpdate()
    {
        assertThat(trino.execute("UPDATE t SET c = 0 WHERE a <= 1000").getUpdateCount()).hasValue(1000);
        assertState(5000, 5000L * 5001 / 2 - 1000L * 1001 / 2);
    }

    @Test
    void testRowsThatTrinoFinds()
    {
        // MySQL's collation takes it for equal, Trino does not.
        assertThat(trino.execute("DELETE FROM t WHERE b = 'B7'").getUpdateCount()).hasValue(0);
        assertThat(trino.execute("DELETE FROM t WHERE c % 2 = 0").getUpdateCount()).hasValue(2500);
        assertState(2500, 2500L * 2500);
        assertThat(trino.execute("UPDATE t SET c = c + 1").getUpdateCount()).hasValue(2500);
        assertState(2500, 2500L * 2500 + 2500);
    }

    @Test
    void testAddColumnAtPosition()
    {
        trino.execute("CREATE TABLE positions (a INTEGER COMMENT 'first of old', b INTEGER)");
        trino.execute("ALTER TABLE positions ADD COLUMN c INTEGER AFTER a");
        trino.execute("ALTER TABLE positions ADD COLUMN d INTEGER NOT NULL COMMENT 'it''s' FIRST");
        assertThat(trino.execute("SELECT column_name FROM information_schema.columns WHERE table_schema = 'test' AND table_name = 'positions' ORDER BY ordinal_position").getMaterializedRows().toString())
                .isEqualTo("[[d], [a], [c], [b]]");
        assertThat((String) trino.execute("SHOW CREATE TABLE positions").getOnlyValue()).contains("d integer NOT NULL COMMENT 'it''s'", "a integer COMMENT 'first of old'");
        trino.execute("DROP TABLE positions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT mysql_pq_scan(", "UPDATE `test`.`t`", "INSERT INTO `test`.`tmp", "CREATE TABLE `test`.`tmp"})
    void testQueryComment(String statement)
    {
        mysql.execute("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'");
        String query = trino.executeWithPlan(trino.session(ImmutableMap.of()), "UPDATE t SET c = c + 1 WHERE reverse(b) LIKE '999%'").queryId().toString();
        mysql.execute(
                "DROP TABLE IF EXISTS test.statements",
                "CREATE TABLE test.statements AS SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '/*mysql_pq %s user=user%%'".formatted(query));
        assertThat((long) trino.execute("SELECT count(*) FROM statements WHERE sql_text LIKE '%%*/ %s%%'".formatted(statement)).getOnlyValue()).isPositive();
    }

    /** By the part before the user's, the connector finds the statements of a cancelled query. */
    @Test
    void testQueryCommentOfTheUser()
            throws Exception
    {
        mysql.execute("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'");
        try (TestingTrino commenting = TestingTrino.oneNode(mysql, ImmutableMap.of("query.comment-format", "job of $QUERY_ID by $USER"))) {
            String query = commenting.executeWithPlan(commenting.session(ImmutableMap.of()), "SELECT a, reverse(b) FROM t").queryId().toString();
            mysql.execute(
                    "DROP TABLE IF EXISTS test.statements",
                    "CREATE TABLE test.statements AS SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '/*mysql_pq %1$s user=user split=1/1 job of %1$s by user*/ SELECT%%'".formatted(query));
        }
        assertThat((long) trino.execute("SELECT count(*) FROM statements WHERE sql_text LIKE '%SELECT%`test`.`t`%' OR sql_text LIKE '%SELECT mysql_pq_scan(%'").getOnlyValue()).isPositive();
    }

    /** As by the stock connector: MySQL changes these only by stating the whole column again. */
    @Test
    void testChangesThatAreRefused()
    {
        assertThatThrownBy(() -> trino.execute("COMMENT ON COLUMN t.b IS 'x'")).hasMessageContaining("This connector does not support setting column comments");
        assertThatThrownBy(() -> trino.execute("ALTER TABLE t ALTER COLUMN c SET DATA TYPE BIGINT")).hasMessageContaining("This connector does not support setting column types");
        assertThatThrownBy(() -> trino.execute("ALTER TABLE t ALTER COLUMN a DROP NOT NULL")).hasMessageContaining("This connector does not support dropping a not null constraint");
        assertThatThrownBy(() -> trino.execute("ALTER SCHEMA test RENAME TO other")).hasMessageContaining("This connector does not support renaming schemas");
    }

    @Test
    void testCharLongerThanMysqls()
    {
        trino.execute("CREATE TABLE longest AS SELECT CAST('a' AS CHAR(255)) AS c");
        assertThatThrownBy(() -> trino.execute("CREATE TABLE longer AS SELECT CAST('a' AS CHAR(256)) AS c")).hasMessageContaining("char(256)").hasMessageContaining("use VARCHAR");
        trino.execute("DROP TABLE longest");
    }

    @Test
    void testTruncateAndCreateTable()
    {
        trino.execute("TRUNCATE TABLE t");
        assertState(0, 0);
        trino.execute("CREATE TABLE made (x INTEGER NOT NULL, y VARCHAR(10), z DECIMAL(10, 2)) COMMENT 'it''s'");
        trino.execute("INSERT INTO made VALUES (1, 'a', 2.50), (2, NULL, NULL)");
        assertThat(trino.execute("SELECT count(*), count(y), sum(z) FROM made").getMaterializedRows().getFirst().getFields().toString()).isEqualTo("[2, 1, 2.50]");
        trino.execute("ALTER TABLE made RENAME TO renamed");
        trino.execute("ALTER TABLE renamed ADD COLUMN w BIGINT");
        trino.execute("ALTER TABLE renamed RENAME COLUMN w TO v");
        trino.execute("ALTER TABLE renamed DROP COLUMN v");
        trino.execute("DROP TABLE renamed");
    }

    private void assertState(long rows, long sum)
    {
        assertThat(trino.execute("SELECT count(*), coalesce(sum(c), 0) FROM t").getMaterializedRows().getFirst().getFields()).containsExactly(rows, sum);
    }
}
