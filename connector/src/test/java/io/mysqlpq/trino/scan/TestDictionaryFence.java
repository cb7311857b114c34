package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.dictionary.DictionaryKey;
import io.mysqlpq.trino.dictionary.DictionaryKeyReader;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.split.SplitRange;
import io.mysqlpq.trino.split.SplitTable;
import io.trino.plugin.jdbc.RemoteTableName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Changes tables between planning and reading, on a server without the extension. */
@TestInstance(PER_CLASS)
class TestDictionaryFence
{
    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().start();

    @BeforeEach
    void createTable()
    {
        mysql.execute(
                "DROP SCHEMA IF EXISTS test",
                "CREATE SCHEMA test",
                "CREATE TABLE test.t (k VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, n INT, v INT, PRIMARY KEY (k, n))",
                "INSERT INTO test.t VALUES ('a', 1, 1), ('b', 2, 2)");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "ALTER TABLE test.t MODIFY k VARCHAR(20) COLLATE utf8mb4_bin",
            "ALTER TABLE test.t MODIFY k VARCHAR(30) COLLATE utf8mb4_0900_ai_ci",
            "ALTER TABLE test.t DROP PRIMARY KEY, ADD PRIMARY KEY (k, n DESC)",
            "ALTER TABLE test.t DROP PRIMARY KEY, ADD PRIMARY KEY (n, k)",
            "ALTER TABLE test.t DROP PRIMARY KEY",
            "DROP TABLE test.t",
    })
    void testChangedKeyFails(String ddl)
            throws Exception
    {
        DictionaryFence fence = plan();
        mysql.execute(ddl);
        try (Connection reader = mysql.connect()) {
            assertTrinoExceptionThrownBy(() -> enter(fence, reader)).hasErrorCode(MYSQL_PQ_TABLE_CHANGED).hasMessageContaining("Run the query again");
        }
    }

    @Test
    void testSameTableMayBeRead()
            throws Exception
    {
        DictionaryFence fence = plan();
        mysql.execute("INSERT INTO test.t VALUES ('c', 3, 3)", "ANALYZE TABLE test.t");
        try (Connection reader = mysql.connect(); Connection ddl = mysql.connect(); Statement statement = ddl.createStatement()) {
            enter(fence, reader);
            statement.execute("SET lock_wait_timeout = 1");
            assertThatThrownBy(() -> statement.execute("TRUNCATE TABLE test.t")).hasMessageContaining("Lock wait timeout");
        }
    }

    private static void enter(DictionaryFence fence, Connection reader)
            throws SQLException
    {
        try {
            fence.enter(reader);
        }
        catch (SQLException e) {
            throw fence.explain(e).orElseThrow();
        }
    }

    private DictionaryFence plan()
            throws SQLException
    {
        try (Connection connection = mysql.connect()) {
            DictionaryKey key = DictionaryKeyReader.read(connection, UnaryOperator.identity(), "test", "t", "PRIMARY").orElseThrow();
            SplitRange read = new SplitRange(key.readByRange().orElseThrow(), ImmutableList.of(), KeyRange.all(), key.definition(), false);
            RemoteTableName name = new RemoteTableName(Optional.of("test"), Optional.empty(), "t");
            return new DictionaryFence(read, new TableAccess(List.of(new SplitTable(name, List.of())), _ -> "test.t", UnaryOperator.identity(), UnaryOperator.identity()));
        }
    }
}
