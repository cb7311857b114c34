package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Keeps metadata for an hour, until it is flushed or this catalog changes it. */
@TestInstance(PER_CLASS)
class TestMetadataCaching
{
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute("CREATE DATABASE test");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("metadata.cache-ttl", "1h", "metadata.cache-missing", "true"));
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
        mysql.execute("DROP TABLE IF EXISTS test.t, test.u", "CREATE TABLE test.t (k BIGINT PRIMARY KEY, v INT)", "INSERT INTO test.t VALUES (1, 2), (3, 4)");
        trino.execute("CALL system.flush_metadata_cache()");
    }

    @Test
    void testColumnsAreKeptUntilTheyAreFlushed()
    {
        assertThat(trino.execute("SELECT * FROM t").getTypes()).hasSize(2);
        mysql.execute("ALTER TABLE test.t ADD COLUMN w INT DEFAULT 7");
        assertThat(trino.execute("SELECT * FROM t").getTypes()).hasSize(2);
        trino.execute("CALL system.flush_metadata_cache()");
        assertThat(trino.execute("SELECT sum(w) FROM t").getOnlyValue()).isEqualTo(14L);
    }

    @Test
    void testMissingTablesAreKeptToo()
    {
        assertThatThrownBy(() -> trino.execute("SELECT * FROM u")).hasMessageContaining("does not exist");
        mysql.execute("CREATE TABLE test.u (k BIGINT PRIMARY KEY)");
        assertThatThrownBy(() -> trino.execute("SELECT * FROM u")).hasMessageContaining("does not exist");
        trino.execute("CALL system.flush_metadata_cache()");
        assertThat(trino.execute("SELECT * FROM u").getRowCount()).isZero();
    }

    // The catalog's own changes are seen at once.
    @Test
    void testOwnChanges()
    {
        assertThat(trino.execute("SELECT * FROM t").getTypes()).hasSize(2);
        trino.execute("ALTER TABLE t ADD COLUMN w INTEGER");
        assertThat(trino.execute("SELECT * FROM t").getTypes()).hasSize(3);
        trino.execute("CREATE TABLE u (a INTEGER)");
        assertThat(trino.execute("SHOW TABLES").getOnlyColumnAsSet()).containsExactlyInAnyOrder("t", "u");
        trino.execute("DROP TABLE u");
        assertThatThrownBy(() -> trino.execute("SELECT * FROM u")).hasMessageContaining("does not exist");
    }

    // Rows are never kept, nor is what ranges belong to.
    @Test
    void testRowsAreOfThisMoment()
    {
        assertThat(trino.execute("SELECT sum(v) FROM t").getOnlyValue()).isEqualTo(6L);
        mysql.execute("UPDATE test.t SET v = 10 WHERE k = 1");
        assertThat(trino.execute("SELECT sum(v) FROM t").getOnlyValue()).isEqualTo(14L);
        mysql.execute("ALTER TABLE test.t DROP PRIMARY KEY, ADD PRIMARY KEY (v)");
        assertThat(trino.execute("SELECT sum(k) FROM t WHERE v > 1").getOnlyValue()).isEqualTo(4L);
    }
}
