package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Creates tables with a primary key. */
@TestInstance(PER_CLASS)
class TestPrimaryKeyProperty
{
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(false).start();
        mysql.execute("CREATE DATABASE test");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of());
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testCreateTable()
    {
        trino.execute("CREATE TABLE made (v VARCHAR, b VARCHAR(20), a BIGINT) WITH (primary_key = ARRAY['a', 'B'])");
        assertKey("made", "a, b");
        assertThat((String) trino.execute("SHOW CREATE TABLE made").getOnlyValue())
                .contains("a bigint NOT NULL", "b varchar(20) NOT NULL", "primary_key = ARRAY['a','b']");
        trino.execute("INSERT INTO made VALUES ('x', 'y', 1)");
        assertThatThrownBy(() -> trino.execute("INSERT INTO made VALUES ('x', 'y', 1)")).hasMessageContaining("Duplicate entry");
    }

    @Test
    void testCreateTableAsSelect()
    {
        for (String nonTransactional : new String[] {"false", "true"}) {
            trino.execute(
                    trino.session(ImmutableMap.of("non_transactional_insert", nonTransactional)),
                    "CREATE TABLE copied WITH (primary_key = ARRAY['c_custkey']) AS SELECT * FROM tpch.tiny.customer");
            assertKey("copied", "c_custkey");
            assertThat(trino.execute("SELECT count(*) FROM copied").getOnlyValue()).isEqualTo(1500L);
            trino.execute("DROP TABLE copied");
        }
    }

    @Test
    void testColumnsThatCannotBeInAKey()
    {
        assertThatThrownBy(() -> trino.execute("CREATE TABLE bad (a BIGINT) WITH (primary_key = ARRAY['z'])")).hasMessageContaining("Column 'z' specified in property 'primary_key' doesn't exist in table test.bad: its columns are [a]");
        assertThatThrownBy(() -> trino.execute("CREATE TABLE bad (a VARCHAR) WITH (primary_key = ARRAY['a'])")).hasMessageContaining("use VARCHAR(n) of at most 768 characters");
        assertThatThrownBy(() -> trino.execute("CREATE TABLE bad (a VARBINARY) WITH (primary_key = ARRAY['a'])")).hasMessageContaining("use VARCHAR(n)");
        trino.execute("CREATE TABLE longest (a VARCHAR(768)) WITH (primary_key = ARRAY['a'])");
    }

    // Whatever of the key Trino does not see, or could not create.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "a BIT(10), b INT, PRIMARY KEY (a, b)| 'b'",
            "a BIT(10), b INT, c INT, d INT, PRIMARY KEY (a, c, b)| 'c','b'",
            "a BIT(10), b INT, PRIMARY KEY (a)|",
            "a BIT(10), b BIT(3), c INT, PRIMARY KEY (b, c, a)| 'c'",
            "a VARCHAR(900), b INT, PRIMARY KEY (b, a(50))|",
            "a VARCHAR(700), b INT, PRIMARY KEY (b, a(50))| 'b','a'",
            "a TEXT, b INT, PRIMARY KEY (a(10))|",
            "a VARBINARY(20), b INT, PRIMARY KEY (a)|",
            "a INT, B INT, PRIMARY KEY (B, a)| 'b','a'"})
    void testShownKeysCanBeCreated(String definition, String key)
    {
        mysql.execute("DROP TABLE IF EXISTS test.k, test.k2", "CREATE TABLE test.k (%s)".formatted(definition));
        String shown = (String) trino.execute("SHOW CREATE TABLE k").getOnlyValue();
        if (key == null) {
            assertThat(shown).doesNotContain("primary_key");
        }
        else {
            assertThat(shown).contains("primary_key = ARRAY[%s]".formatted(key));
        }
        trino.execute("CREATE TABLE k2 (LIKE k INCLUDING PROPERTIES)");
        // Trino's VARCHAR(n) becomes a TEXT type of MySQL, which has another length.
        String copy = (String) trino.execute("SHOW CREATE TABLE k2").getOnlyValue();
        assertThat(copy.replace(".k2 (", ".k (").replaceAll("varchar\\(\\d+\\)", "varchar")).isEqualTo(shown.replaceAll("varchar\\(\\d+\\)", "varchar"));
        mysql.execute("DROP TABLE test.k");
        trino.execute(shown);
        assertThat((String) trino.execute("SHOW CREATE TABLE k").getOnlyValue()).contains("TABLE mysql_pq.test.k");
    }

    private void assertKey(String table, String columns)
    {
        assertThat(trino.execute("""
                SELECT c FROM TABLE(system.query('SELECT GROUP_CONCAT(column_name ORDER BY seq_in_index SEPARATOR '', '') AS c
                FROM information_schema.statistics WHERE table_schema = ''test'' AND table_name = ''%s'' AND index_name = ''PRIMARY'''))""".formatted(table)).getOnlyValue())
                .isEqualTo(columns);
    }
}
