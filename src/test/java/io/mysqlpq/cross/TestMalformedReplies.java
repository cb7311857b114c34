package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests replies that no right extension gives: the query fails, or reads without the extension if the protocol is another.
 */
@TestInstance(PER_CLASS)
class TestMalformedReplies
{
    private static final String VERSION = "'{\"extension\": \"0.1.0\", \"protocol\": 1, \"server_version\": \"9.7.4\", \"enabled\": true, \"max_ranges\": 4096, \"functions\": [\"mysql_pq_version\", \"mysql_pq_ranges\", \"mysql_pq_definition\"]}'";
    private static final String RANGES = """
            '{"protocol": 1, "schema": "s", "table": "t", "partition": null, "index": "PRIMARY", "clustered": true, "definition": "d",
              "columns": [{"name": "k", "type": "int", "encoding": "integer", "unsigned": false, "nullable": false, "descending": false, "charset": null, "collation": null, "prefix": null}],
              "count_requested": 3, "count_clamped": false, "height": 2, "level": 1, "pages_read": 2,
              "boundaries": [["5000"], ["9000"]], "rows": [5000, 4000, 11000], "pages": [50, 40, 110]}'""";
    private static final String DEFINITION = "'{\"protocol\": 1, \"definition\": \"d\"}'";
    private static final String EXPORT = "'{\"protocol\": 1, \"token\": \"00112233445566778899aabbccddeeff\"}'";
    private static final String AGE = "'{\"protocol\": 1, \"age_ms\": 5}'";
    private static final String QUERY = "SELECT count(*), count(DISTINCT k) FROM mysql_pq.s.t WHERE v LIKE '%x%'";

    @AutoClose
    private final CrossCluster cluster;
    private final FakeExtension extension;

    TestMalformedReplies()
    {
        MysqlServer mysql = MysqlServer.builder().option("cte-max-recursion-depth", "1000000").start();
        mysql.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v VARCHAR(100))",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 20000) SELECT i, CONCAT('x', LEFT(SHA2(i, 256), 32)) FROM s");
        extension = new FakeExtension(mysql);
        Map<String, String> properties = new HashMap<>(FakeExtension.ACCOUNT);
        properties.put("extension-probe-ttl", "1ms");
        properties.put("range-source", "AUTO");
        properties.put("snapshot-mode", "NONE");
        // Rows have to be read, because the test counts their splits.
        properties.put("aggregation-pushdown.enabled", "false");
        cluster = CrossCluster.parallel(mysql, properties);
    }

    // Shows that the stored functions do stand for the extension.
    @Test
    void testWellFormedReply()
    {
        extension.replies(VERSION, RANGES, DEFINITION);
        assertThat(splitsOfRightAnswer()).isEqualTo(3);
    }

    @Test
    void testUnknownProtocol()
    {
        // Many ranges by SQL instead of the extension's three.
        extension.replies(VERSION.replace("\"protocol\": 1", "\"protocol\": 99"), RANGES, DEFINITION);
        assertThat(splitsOfRightAnswer()).isGreaterThan(3);
    }

    @Test
    void testUnknownEncoding()
    {
        extension.replies(VERSION, RANGES.replace("\"encoding\": \"integer\"", "\"encoding\": \"roman\""), DEFINITION);
        assertThat(splitsOfRightAnswer()).isGreaterThan(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NULL", "''", "'x'", "'{}'", "'[]'", "'{\"protocol\": \"one\"}'", "'{\"protocol\": 1}'"})
    void testMalformedVersion(String version)
    {
        extension.replies(version, RANGES, DEFINITION);
        assertFails();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NULL", "''", "'{}'", "'null'", "'{\"protocol\": 1}'"})
    void testMalformedRanges(String ranges)
    {
        extension.replies(VERSION, ranges, DEFINITION);
        assertFails();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            // One boundary too few for its estimates, a short key, no value, no integer, too large for the column, out of order, twice the same.
            "[[\"5000\"]]", "[[\"5000\"], []]", "[[\"5000\"], [null]]", "[[\"5000\"], [\"abc\"]]", "[[\"5000\"], [9000]]",
            "[[\"5000\"], [\"99999999999999999999\"]]", "[[\"9000\"], [\"5000\"]]", "[[\"5000\"], [\"5000\"]]", "[[\"5000\"], [\"9000\", \"1\"]]", "null", "{}"})
    void testMalformedBoundaries(String boundaries)
    {
        extension.replies(VERSION, RANGES.replace("[[\"5000\"], [\"9000\"]]", boundaries), DEFINITION);
        assertFails();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "\"table\": \"t\"|\"table\": \"other\"", "\"index\": \"PRIMARY\"|\"index\": \"other\"", "\"name\": \"k\"|\"name\": \"other\"",
            "\"descending\": false|\"descending\": true", "\"definition\": \"d\"|\"definition\": null", "\"protocol\": 1|\"protocol\": 1.5"})
    void testRepliesOfAnotherTable(String change)
    {
        String[] replacement = change.split("\\|", 2);
        extension.replies(VERSION, RANGES.replace(replacement[0], replacement[1]), DEFINITION);
        assertFails();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NULL", "''", "'{\"protocol\": 1}'", "'{\"protocol\": 1, \"definition\": \"other\"}'"})
    void testDefinitionThatDoesNotMatch(String definition)
    {
        extension.replies(VERSION, RANGES, definition);
        assertFails();
    }

    @Test
    void testWellFormedSnapshotReplies()
    {
        extension.replies(VERSION, RANGES, DEFINITION);
        extension.snapshotReplies(EXPORT, AGE, AGE);
        MaterializedResultWithPlan result = cluster.trino().executeWithPlan(exact(), QUERY);
        assertThat(cluster.scanCount(result.queryId(), "splitsRead")).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NULL", "''", "'{}'", "'{\"protocol\": 1}'", "'{\"protocol\": 1, \"token\": \"00112233\"}'", "'{\"protocol\": 1, \"token\": \"00112233445566778899AABBCCDDEEFF\"}'", "'{\"protocol\": 2, \"token\": \"00112233445566778899aabbccddeeff\"}'"})
    void testMalformedExport(String export)
    {
        extension.replies(VERSION, RANGES, DEFINITION);
        extension.snapshotReplies(export, AGE, AGE);
        assertFails(exact());
    }

    @ParameterizedTest
    @ValueSource(strings = {"NULL", "''", "'{}'", "'{\"protocol\": 1}'", "'{\"protocol\": 1, \"age_ms\": null}'", "'{\"protocol\": 1, \"age_ms\": \"x\"}'", "'{\"protocol\": 2, \"age_ms\": 5}'"})
    void testMalformedAdoptionAndProof(String reply)
    {
        extension.replies(VERSION, RANGES, DEFINITION);
        extension.snapshotReplies(EXPORT, reply, AGE);
        assertFails(exact());
        extension.replies(VERSION, RANGES, DEFINITION);
        extension.snapshotReplies(EXPORT, AGE, reply);
        assertFails(exact());
    }

    private Session exact()
    {
        return cluster.session(Map.of("snapshot_mode", "EXACT"));
    }

    private void assertFails()
    {
        assertFails(cluster.trino().getDefaultSession());
    }

    private void assertFails(Session session)
    {
        assertThatThrownBy(() -> cluster.trino().execute(session, QUERY))
                .message().matches("(?s).*(extension|altered|mysql_pq|s\\.t).*")
                .doesNotContain("NullPointer", "IndexOutOf", "NumberFormat");
    }

    private long splitsOfRightAnswer()
    {
        MaterializedResultWithPlan result = cluster.queryWithId(QUERY);
        assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly(20_000L, 20_000L);
        return cluster.scanCount(result.queryId(), "splitsRead");
    }
}
