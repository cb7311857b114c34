package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads and writes with one split, on a server without the extension. */
@TestInstance(PER_CLASS)
class TestOneSplit
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
    void testTpchTableSurvivesTheWayThroughMysql()
    {
        trino.execute("CREATE TABLE lineitem AS SELECT * FROM tpch.tiny.lineitem");
        assertThat(trino.execute("SELECT * FROM lineitem").getRowCount()).isEqualTo(60_175);
        assertThat(trino.execute("SELECT * FROM lineitem EXCEPT SELECT * FROM tpch.tiny.lineitem").getRowCount()).isZero();
        assertThat(trino.execute("SELECT count(*), sum(l_extendedprice), min(l_shipdate), max(l_comment) FROM lineitem").getMaterializedRows())
                .isEqualTo(trino.execute("SELECT count(*), sum(l_extendedprice), min(l_shipdate), max(l_comment) FROM tpch.tiny.lineitem").getMaterializedRows());
    }
}
