package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

import static io.mysqlpq.trino.metrics.ReadMetrics.BYTES_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.BYTES_SAVED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static org.assertj.core.api.Assertions.assertThat;

/** Reads the same rows compressed and as they are. */
class TestSlowLinks
        extends BaseNativeScanTest
{
    private static final Map<String, String> COMPRESSED = ImmutableMap.of("native_scan_compression", "ZSTD");
    private static final Map<String, String> PLAIN = ImmutableMap.of("native_scan_compression", "NONE");

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT * FROM t",
            "SELECT n, s2, s3, x3 FROM t WHERE n > 100",
            "SELECT n, d1, f2, c4 FROM t WHERE t7 IS NULL OR n > 7",
            "SELECT s2, n FROM t WHERE s1 IS NULL"})
    void testCompressedBatches(String sql)
    {
        MaterializedResultWithPlan compressed = trino.executeWithPlan(trino.session(COMPRESSED), sql);
        MaterializedResultWithPlan plain = trino.executeWithPlan(trino.session(PLAIN), sql);
        assertThat(texts(compressed.result())).isEqualTo(texts(plain.result())).isNotEmpty();
        for (MaterializedResultWithPlan result : List.of(compressed, plain)) {
            assertThat(trino.count(result.queryId(), READ_NATIVELY)).isEqualTo(trino.count(result.queryId(), SPLITS_READ)).isPositive();
        }
        // What is read is what it was.
        assertThat(trino.count(compressed.queryId(), BYTES_READ)).isEqualTo(trino.count(plain.queryId(), BYTES_READ));
        assertThat(trino.count(compressed.queryId(), BYTES_SAVED)).isGreaterThan(trino.count(plain.queryId(), BYTES_READ) / 10);
        assertThat(trino.count(plain.queryId(), BYTES_SAVED)).isZero();
    }

    @Test
    void testLargeBatches()
    {
        mysql.execute("CREATE TABLE test.wide (n INT PRIMARY KEY, a TEXT, b TEXT) SELECT n, REPEAT(CHAR(97 + n MOD 26), 20000) a, REPEAT(SHA2(n, 256), 300) b FROM test.t", "ANALYZE TABLE test.wide");
        Map<String, String> fewRanges = ImmutableMap.of("target_rows_per_split", "100000");
        for (Map<String, String> way : List.of(COMPRESSED, PLAIN)) {
            MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.<String, String>builder().putAll(fewRanges).putAll(way).buildOrThrow()), "SELECT sum(length(a)), sum(length(b)), count(DISTINCT b) FROM wide");
            assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly(20_000L * ROWS, 19_200L * ROWS, (long) ROWS);
            assertThat(trino.count(result.queryId(), READ_NATIVELY)).isEqualTo(trino.count(result.queryId(), SPLITS_READ)).isPositive();
            assertThat(trino.count(result.queryId(), BYTES_SAVED) > 100_000_000).isEqualTo(way.equals(COMPRESSED));
        }
    }

    // The second one looks fast to whoever sends it little.
    @ParameterizedTest
    @CsvSource({"20000000,0", "100000000,1900000"})
    void testSlowNetwork(int bytesPerSecond, int burst)
            throws Exception
    {
        try (SlowProxy proxy = new SlowProxy(mysql, bytesPerSecond, burst);
                TestingTrino far = TestingTrino.oneNode(mysql, ImmutableMap.of("connection-url", proxy.jdbcUrl(), "range-source", "EXTENSION", "target-rows-per-split", "1000"))) {
            MaterializedResultWithPlan result = far.executeWithPlan(far.session(ImmutableMap.of()), "SELECT * FROM t");
            assertThat(far.count(result.queryId(), BYTES_SAVED)).isPositive();
            assertThat(far.count(far.executeWithPlan(far.session(PLAIN), "SELECT * FROM t").queryId(), BYTES_SAVED)).isZero();
            assertThat(texts(result.result())).isEqualTo(texts(trino.execute(trino.session(PLAIN), "SELECT * FROM t")));
        }
    }
}
