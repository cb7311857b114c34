package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.trino.planning.RangeSource;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.mysqlpq.trino.types.InvalidDateHandling;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

class TestMysqlPqConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(MysqlPqConfig.class)
                .setParallelReadsEnabled(true)
                .setRangeSource(RangeSource.AUTO)
                .setTargetRowsPerSplit(500_000)
                .setMaxRangesPerScan(128)
                .setAggregationParallelism(4)
                .setAggregationMaxGroups(100_000)
                .setMaxConnectionsPerNode(16)
                .setMaxConnectionsPerServer(100)
                .setConnectionQueueTimeout(new Duration(10, MINUTES))
                .setConnectionWaitTimeout(new Duration(45, SECONDS))
                .setPlanningTimeout(new Duration(1, MINUTES))
                .setReplyTimeout(new Duration(1, DAYS))
                .setConnectionIdleTimeout(new Duration(10, SECONDS))
                .setConnectionMaxLifetime(new Duration(2, MINUTES))
                .setMaxRememberedTables(1000)
                .setRememberedKeysTtl(new Duration(1, MINUTES))
                .setNetWriteTimeout(new Duration(60, MINUTES))
                .setTableLockTimeout(new Duration(10, SECONDS))
                .setSnapshotMode(SnapshotMode.AUTO)
                .setSnapshotSessionTimeout(new Duration(1, MINUTES))
                .setSnapshotGroupMaxAge(new Duration(10, MINUTES))
                .setMaxSnapshotGroups(100)
                .setSqlPlanningMaxStatements(64)
                .setSqlPlanningTimeLimit(new Duration(5, SECONDS))
                .setSqlRangesTtl(new Duration(10, MINUTES))
                .setExtensionProbeTtl(new Duration(1, MINUTES))
                .setPacketDecodingEnabled(true)
                .setNativeScanEnabled(true)
                .setAggregationBeforeNativeScan(false)
                .setHypergraphOptimizerEnabled(true)
                .setExtendedTypes(false)
                .setInvalidDateHandling(InvalidDateHandling.ERROR));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("parallel-reads-enabled", "false")
                .put("range-source", "EXTENSION")
                .put("target-rows-per-split", "5")
                .put("max-ranges-per-scan", "7")
                .put("aggregation-parallelism", "9")
                .put("aggregation-max-groups", "11")
                .put("max-connections-per-node", "3")
                .put("max-connections-per-server", "30")
                .put("connection-queue-timeout", "3m")
                .put("connection-wait-timeout", "2s")
                .put("planning-timeout", "3s")
                .put("reply-timeout", "6m")
                .put("connection-idle-timeout", "20s")
                .put("connection-max-lifetime", "40s")
                .put("max-remembered-tables", "6")
                .put("remembered-keys-ttl", "7s")
                .put("net-write-timeout", "90s")
                .put("table-lock-timeout", "5s")
                .put("snapshot-mode", "EXACT")
                .put("snapshot-session-timeout", "30s")
                .put("snapshot-group-max-age", "2m")
                .put("max-snapshot-groups", "8")
                .put("sql-planning-max-statements", "20")
                .put("sql-planning-time-limit", "500ms")
                .put("sql-ranges-ttl", "1h")
                .put("extension-probe-ttl", "4s")
                .put("packet-decoding-enabled", "false")
                .put("native-scan-enabled", "false")
                .put("aggregation-before-native-scan", "true")
                .put("hypergraph-optimizer-enabled", "false")
                .put("extended-types", "true")
                .put("invalid-date-handling", "NULL")
                .buildOrThrow();
        assertFullMapping(properties, new MysqlPqConfig()
                .setParallelReadsEnabled(false)
                .setRangeSource(RangeSource.EXTENSION)
                .setTargetRowsPerSplit(5)
                .setMaxRangesPerScan(7)
                .setAggregationParallelism(9)
                .setAggregationMaxGroups(11)
                .setMaxConnectionsPerNode(3)
                .setMaxConnectionsPerServer(30)
                .setConnectionQueueTimeout(new Duration(3, MINUTES))
                .setConnectionWaitTimeout(new Duration(2, SECONDS))
                .setPlanningTimeout(new Duration(3, SECONDS))
                .setReplyTimeout(new Duration(6, MINUTES))
                .setConnectionIdleTimeout(new Duration(20, SECONDS))
                .setConnectionMaxLifetime(new Duration(40, SECONDS))
                .setMaxRememberedTables(6)
                .setRememberedKeysTtl(new Duration(7, SECONDS))
                .setNetWriteTimeout(new Duration(90, SECONDS))
                .setTableLockTimeout(new Duration(5, SECONDS))
                .setSnapshotMode(SnapshotMode.EXACT)
                .setSnapshotSessionTimeout(new Duration(30, SECONDS))
                .setSnapshotGroupMaxAge(new Duration(2, MINUTES))
                .setMaxSnapshotGroups(8)
                .setSqlPlanningMaxStatements(20)
                .setSqlPlanningTimeLimit(new Duration(500, MILLISECONDS))
                .setSqlRangesTtl(new Duration(1, HOURS))
                .setExtensionProbeTtl(new Duration(4, SECONDS))
                .setPacketDecodingEnabled(false)
                .setNativeScanEnabled(false)
                .setAggregationBeforeNativeScan(true)
                .setHypergraphOptimizerEnabled(false)
                .setExtendedTypes(true)
                .setInvalidDateHandling(InvalidDateHandling.NULL));
    }
}
