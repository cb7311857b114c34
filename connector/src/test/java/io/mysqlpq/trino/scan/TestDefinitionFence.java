package io.mysqlpq.trino.scan;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.protocol.RangesRequest;
import io.mysqlpq.trino.split.SplitRange;
import io.mysqlpq.trino.split.SplitTable;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.testing.assertions.TrinoExceptionAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_EXTENSION_UNAVAILABLE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestDefinitionFence
{
    private MysqlServer mysql;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute("CREATE DATABASE test");
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    @BeforeEach
    void createTable()
    {
        mysql.execute(
                "DROP TABLE IF EXISTS test.t, test.other",
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, v INT)",
                "INSERT INTO test.t VALUES (1, 1), (2, 2)",
                "CREATE TABLE test.other LIKE test.t");
    }

    @Test
    void testMetadataLockIsHeldUntilTheTransactionEnds()
            throws Exception
    {
        DefinitionFence fence = plan();
        try (Connection reader = mysql.connect(); Connection ddl = mysql.connect()) {
            fence.enter(reader);
            assertThat(text(ddl, "SELECT GROUP_CONCAT(CONCAT(lock_type, ' ', lock_duration, ' ', lock_status)) FROM performance_schema.metadata_locks WHERE object_schema = 'test' AND object_name = 't'"))
                    .isEqualTo("SHARED_READ TRANSACTION GRANTED");
            execute(ddl, "SET lock_wait_timeout = 1");
            assertThatThrownBy(() -> execute(ddl, "TRUNCATE TABLE test.t")).hasMessageContaining("Lock wait timeout");
            assertThat(text(reader, "SELECT count(*) FROM test.t")).isEqualTo("2");
            execute(reader, "COMMIT");
            execute(ddl, "TRUNCATE TABLE test.t");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "TRUNCATE TABLE test.t",
            "ALTER TABLE test.t ENGINE = InnoDB",
            "ALTER TABLE test.t ADD COLUMN w INT, ALGORITHM = INSTANT",
            "ALTER TABLE test.t DROP COLUMN v, ALGORITHM = INSTANT",
            "RENAME TABLE test.t TO test.swap, test.other TO test.t, test.swap TO test.other",
            "DROP TABLE test.t",
    })
    void testChangedTableFails(String ddl)
            throws Exception
    {
        DefinitionFence fence = plan();
        mysql.execute(ddl);
        assertFails(fence).hasErrorCode(MYSQL_PQ_TABLE_CHANGED).hasMessageContaining("test.t").hasMessageContaining("Run the query again");
    }

    @Test
    void testRecreatedTableFails()
            throws Exception
    {
        DefinitionFence fence = plan();
        mysql.execute("DROP TABLE test.t", "CREATE TABLE test.t LIKE test.other");
        assertFails(fence).hasErrorCode(MYSQL_PQ_TABLE_CHANGED);
    }

    @Test
    void testRowChangesAreNoTableChange()
            throws Exception
    {
        DefinitionFence fence = plan();
        mysql.execute("DELETE FROM test.t", "INSERT INTO test.t VALUES (5, 5)");
        try (Connection reader = mysql.connect()) {
            fence.enter(reader);
        }
    }

    @Test
    void testExtensionThatWentAwayFails()
            throws Exception
    {
        DefinitionFence fence = plan();
        mysql.execute("SET GLOBAL mysql_pq_enabled = OFF");
        try {
            assertFails(fence).hasErrorCode(MYSQL_PQ_EXTENSION_UNAVAILABLE);
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_enabled = ON");
        }
    }

    private TrinoExceptionAssert assertFails(DefinitionFence fence)
    {
        return assertTrinoExceptionThrownBy(() -> {
            try (Connection reader = mysql.connect()) {
                fence.enter(reader);
            }
            catch (SQLException e) {
                throw fence.explain(e).orElseThrow();
            }
        });
    }

    private DefinitionFence plan()
            throws Exception
    {
        try (Connection planner = mysql.connect()) {
            RangesReply reply = RangesReply.decode(
                    new RangesRequest("test", "t", "PRIMARY", 4, KeyRange.all()),
                    text(planner, "SELECT mysql_pq_ranges('test', 't', 'PRIMARY', 4, NULL)"));
            SplitRange read = new SplitRange(reply.key(), reply.ranges().getFirst(), reply.definition());
            return new DefinitionFence(read, new TableAccess(List.of(new SplitTable(new RemoteTableName(Optional.of("test"), Optional.empty(), "t"), List.of())), _ -> "`test`.`t`", column -> column, sql -> sql));
        }
    }

    private static String text(Connection connection, String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private static void execute(Connection connection, String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
