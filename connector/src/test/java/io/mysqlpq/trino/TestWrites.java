package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        trino = new TestingTrino(mysql, ImmutableMap.of(
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
        try (TestingTrino commenting = new TestingTrino(mysql, ImmutableMap.of("query.comment-format", "job of $QUERY_ID by $USER"))) {
            String query = commenting.executeWithPlan(commenting.session(ImmutableMap.of()), "SELECT a, reverse(b) FROM t").queryId().toString();
            mysql.execute(
                    "DROP TABLE IF EXISTS test.statements",
                    "CREATE TABLE test.statements AS SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '/*mysql_pq %1$s user=user split=1/1 job of %1$s by user*/ SELECT%%'".formatted(query));
        }
        assertThat((long) trino.execute("SELECT count(*) FROM statements WHERE sql_text LIKE '%SELECT%`test`.`t`%'").getOnlyValue()).isPositive();
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
