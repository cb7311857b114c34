package io.mysqlpq.trino;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import io.mysqlpq.trino.connection.ConnectionBudget;
import io.mysqlpq.trino.planning.RangeSource;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.mysqlpq.trino.types.InvalidDateHandling;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Holds the catalog's own properties. docs/connector.md has one row for each. */
public class MysqlPqConfig
{
    private boolean parallelReadsEnabled = true;
    private SnapshotMode snapshotMode = SnapshotMode.AUTO;
    private Duration snapshotSessionTimeout = new Duration(1, MINUTES);
    private Duration snapshotGroupMaxAge = new Duration(10, MINUTES);
    private int maxSnapshotGroups = 100;
    private RangeSource rangeSource = RangeSource.AUTO;
    private long targetRowsPerSplit = 500_000;
    private int maxRangesPerScan = 128;
    private int aggregationParallelism = 4;
    private int aggregationMaxGroups = 100_000;
    private boolean aggregationBeforeNativeScan;
    private boolean packetDecodingEnabled = true;
    private boolean nativeScanEnabled = true;
    private boolean hypergraphOptimizerEnabled = true;
    private int maxConnectionsPerNode = 16;
    private int maxConnectionsPerServer = 100;
    private Duration connectionQueueTimeout = new Duration(10, MINUTES);
    private Duration connectionWaitTimeout = new Duration(45, SECONDS);
    private Duration planningTimeout = new Duration(1, MINUTES);
    private Duration replyTimeout = new Duration(1, DAYS);
    private Duration connectionIdleTimeout = new Duration(10, SECONDS);
    private Duration connectionMaxLifetime = new Duration(2, MINUTES);
    private int maxRememberedTables = 1000;
    private Duration rememberedKeysTtl = new Duration(1, MINUTES);
    private Duration netWriteTimeout = new Duration(60, MINUTES);
    private Duration tableLockTimeout = new Duration(10, SECONDS);
    private Duration extensionProbeTtl = new Duration(1, MINUTES);
    private boolean extendedTypes;
    private InvalidDateHandling invalidDateHandling = InvalidDateHandling.ERROR;
    private int sqlPlanningMaxStatements = 64;
    private Duration sqlPlanningTimeLimit = new Duration(5, SECONDS);
    private Duration sqlRangesTtl = new Duration(10, MINUTES);

    public boolean isParallelReadsEnabled()
    {
        return parallelReadsEnabled;
    }

    @Config("parallel-reads-enabled")
    @ConfigDescription("Read tables by several ranges at once")
    public MysqlPqConfig setParallelReadsEnabled(boolean parallelReadsEnabled)
    {
        this.parallelReadsEnabled = parallelReadsEnabled;
        return this;
    }

    @NotNull
    public RangeSource getRangeSource()
    {
        return rangeSource;
    }

    @Config("range-source")
    @ConfigDescription("Where ranges come from: AUTO (the extension, or SQL if it is absent and snapshot-mode is NONE), EXTENSION (or fail), SQL, NONE")
    public MysqlPqConfig setRangeSource(RangeSource rangeSource)
    {
        this.rangeSource = rangeSource;
        return this;
    }

    @Min(1)
    public long getTargetRowsPerSplit()
    {
        return targetRowsPerSplit;
    }

    @Config("target-rows-per-split")
    @ConfigDescription("Rows that a range should have; smaller tables are one split")
    public MysqlPqConfig setTargetRowsPerSplit(long targetRowsPerSplit)
    {
        this.targetRowsPerSplit = targetRowsPerSplit;
        return this;
    }

    @Min(1)
    @Max(4096)
    public int getMaxRangesPerScan()
    {
        return maxRangesPerScan;
    }

    @Config("max-ranges-per-scan")
    @ConfigDescription("Most ranges that one table scan is cut into")
    public MysqlPqConfig setMaxRangesPerScan(int maxRangesPerScan)
    {
        this.maxRangesPerScan = maxRangesPerScan;
        return this;
    }

    @Min(1)
    @Max(10_000)
    public int getMaxConnectionsPerNode()
    {
        return maxConnectionsPerNode;
    }

    @Config("max-connections-per-node")
    @ConfigDescription("Connections that a node reads through at once")
    public MysqlPqConfig setMaxConnectionsPerNode(int maxConnectionsPerNode)
    {
        this.maxConnectionsPerNode = maxConnectionsPerNode;
        return this;
    }

    @Min(ConnectionBudget.LEAST)
    @Max(100_000)
    public int getMaxConnectionsPerServer()
    {
        return maxConnectionsPerServer;
    }

    @Config("max-connections-per-server")
    @ConfigDescription("Connections that all nodes together have at once for reading, planning and snapshots; at least one for each worker and two more")
    public MysqlPqConfig setMaxConnectionsPerServer(int maxConnectionsPerServer)
    {
        this.maxConnectionsPerServer = maxConnectionsPerServer;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1d")
    public Duration getConnectionQueueTimeout()
    {
        return connectionQueueTimeout;
    }

    @Config("connection-queue-timeout")
    @ConfigDescription("Longest wait for one of the connections that max-connections-per-server allows")
    public MysqlPqConfig setConnectionQueueTimeout(Duration connectionQueueTimeout)
    {
        this.connectionQueueTimeout = connectionQueueTimeout;
        return this;
    }

    @NotNull
    @MinDuration("250ms")
    @MaxDuration("1h")
    public Duration getConnectionWaitTimeout()
    {
        return connectionWaitTimeout;
    }

    @Config("connection-wait-timeout")
    @ConfigDescription("Longest wait for MySQL to accept a connection")
    public MysqlPqConfig setConnectionWaitTimeout(Duration connectionWaitTimeout)
    {
        this.connectionWaitTimeout = connectionWaitTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1h")
    public Duration getPlanningTimeout()
    {
        return planningTimeout;
    }

    @Config("planning-timeout")
    @ConfigDescription("Longest wait for each of MySQL's replies while ranges are planned")
    public MysqlPqConfig setPlanningTimeout(Duration planningTimeout)
    {
        this.planningTimeout = planningTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("24d")
    public Duration getReplyTimeout()
    {
        return replyTimeout;
    }

    @Config("reply-timeout")
    @ConfigDescription("Longest silence of MySQL while a statement reads or writes; then its connection counts as lost")
    public MysqlPqConfig setReplyTimeout(Duration replyTimeout)
    {
        this.replyTimeout = replyTimeout;
        return this;
    }

    @NotNull
    @MinDuration("10s")
    @MaxDuration("1h")
    public Duration getConnectionIdleTimeout()
    {
        return connectionIdleTimeout;
    }

    @Config("connection-idle-timeout")
    @ConfigDescription("Time after which an idle connection is closed")
    public MysqlPqConfig setConnectionIdleTimeout(Duration connectionIdleTimeout)
    {
        this.connectionIdleTimeout = connectionIdleTimeout;
        return this;
    }

    @NotNull
    @MinDuration("30s")
    @MaxDuration("1d")
    public Duration getConnectionMaxLifetime()
    {
        return connectionMaxLifetime;
    }

    @Config("connection-max-lifetime")
    @ConfigDescription("Time after which a connection is used no more, and its account has to log in again")
    public MysqlPqConfig setConnectionMaxLifetime(Duration connectionMaxLifetime)
    {
        this.connectionMaxLifetime = connectionMaxLifetime;
        return this;
    }

    @Min(0)
    @Max(100_000)
    public int getMaxRememberedTables()
    {
        return maxRememberedTables;
    }

    @Config("max-remembered-tables")
    @ConfigDescription("Tables whose columns and unique keys are remembered across queries; 0 asks MySQL for them each time")
    public MysqlPqConfig setMaxRememberedTables(int maxRememberedTables)
    {
        this.maxRememberedTables = maxRememberedTables;
        return this;
    }

    @NotNull
    @MinDuration("0ms")
    @MaxDuration("1h")
    public Duration getRememberedKeysTtl()
    {
        return rememberedKeysTtl;
    }

    @Config("remembered-keys-ttl")
    @ConfigDescription("Time for which a table's unique keys are remembered, by which look-ups are known")
    public MysqlPqConfig setRememberedKeysTtl(Duration rememberedKeysTtl)
    {
        this.rememberedKeysTtl = rememberedKeysTtl;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("365d")
    public Duration getNetWriteTimeout()
    {
        return netWriteTimeout;
    }

    @Config("net-write-timeout")
    @ConfigDescription("Longest time for which Trino may leave a running read unread before MySQL ends it")
    public MysqlPqConfig setNetWriteTimeout(Duration netWriteTimeout)
    {
        this.netWriteTimeout = netWriteTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1h")
    public Duration getTableLockTimeout()
    {
        return tableLockTimeout;
    }

    @Config("table-lock-timeout")
    @ConfigDescription("Longest wait for a table that another statement has locked, such as ALTER TABLE")
    public MysqlPqConfig setTableLockTimeout(Duration tableLockTimeout)
    {
        this.tableLockTimeout = tableLockTimeout;
        return this;
    }

    @NotNull
    public SnapshotMode getSnapshotMode()
    {
        return snapshotMode;
    }

    @Config("snapshot-mode")
    @ConfigDescription("What a query's scans see together: AUTO (EXACT if the extension is present), EXACT (one moment, or fail), PER_SCAN, NONE")
    public MysqlPqConfig setSnapshotMode(SnapshotMode snapshotMode)
    {
        this.snapshotMode = snapshotMode;
        return this;
    }

    @NotNull
    @MinDuration("10s")
    @MaxDuration("1h")
    public Duration getSnapshotSessionTimeout()
    {
        return snapshotSessionTimeout;
    }

    @Config("snapshot-session-timeout")
    @ConfigDescription("Time after which MySQL ends a snapshot whose coordinator is silent")
    public MysqlPqConfig setSnapshotSessionTimeout(Duration snapshotSessionTimeout)
    {
        this.snapshotSessionTimeout = snapshotSessionTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1d")
    public Duration getSnapshotGroupMaxAge()
    {
        return snapshotGroupMaxAge;
    }

    @Config("snapshot-group-max-age")
    @ConfigDescription("Greatest age that a session may accept for the snapshot of its group")
    public MysqlPqConfig setSnapshotGroupMaxAge(Duration snapshotGroupMaxAge)
    {
        this.snapshotGroupMaxAge = snapshotGroupMaxAge;
        return this;
    }

    @Min(1)
    @Max(10_000)
    public int getMaxSnapshotGroups()
    {
        return maxSnapshotGroups;
    }

    @Config("max-snapshot-groups")
    @ConfigDescription("Snapshot groups that may hold a snapshot at the same time")
    public MysqlPqConfig setMaxSnapshotGroups(int maxSnapshotGroups)
    {
        this.maxSnapshotGroups = maxSnapshotGroups;
        return this;
    }

    @Min(10)
    @Max(10_000)
    public int getSqlPlanningMaxStatements()
    {
        return sqlPlanningMaxStatements;
    }

    @Config("sql-planning-max-statements")
    @ConfigDescription("Statements that planning the ranges of one scan by SQL may take")
    public MysqlPqConfig setSqlPlanningMaxStatements(int sqlPlanningMaxStatements)
    {
        this.sqlPlanningMaxStatements = sqlPlanningMaxStatements;
        return this;
    }

    @NotNull
    @MinDuration("100ms")
    @MaxDuration("1h")
    public Duration getSqlPlanningTimeLimit()
    {
        return sqlPlanningTimeLimit;
    }

    @Config("sql-planning-time-limit")
    @ConfigDescription("Time after which planning by SQL goes on with the ranges that it has")
    public MysqlPqConfig setSqlPlanningTimeLimit(Duration sqlPlanningTimeLimit)
    {
        this.sqlPlanningTimeLimit = sqlPlanningTimeLimit;
        return this;
    }

    @NotNull
    @MinDuration("0ms")
    @MaxDuration("7d")
    public Duration getSqlRangesTtl()
    {
        return sqlRangesTtl;
    }

    @Config("sql-ranges-ttl")
    @ConfigDescription("Time for which ranges that were planned by SQL are kept")
    public MysqlPqConfig setSqlRangesTtl(Duration sqlRangesTtl)
    {
        this.sqlRangesTtl = sqlRangesTtl;
        return this;
    }

    @NotNull
    @MinDuration("0ms")
    public Duration getExtensionProbeTtl()
    {
        return extensionProbeTtl;
    }

    @Config("extension-probe-ttl")
    @ConfigDescription("Time for which the outcome of asking MySQL for the extension's version is remembered")
    public MysqlPqConfig setExtensionProbeTtl(Duration extensionProbeTtl)
    {
        this.extensionProbeTtl = extensionProbeTtl;
        return this;
    }

    @Min(1)
    @Max(64)
    public int getAggregationParallelism()
    {
        return aggregationParallelism;
    }

    @Config("aggregation-parallelism")
    @ConfigDescription("Ranges that a pushed aggregation reads at the same time; 1 makes it one statement")
    public MysqlPqConfig setAggregationParallelism(int aggregationParallelism)
    {
        this.aggregationParallelism = aggregationParallelism;
        return this;
    }

    @Min(1)
    @Max(1_000_000)
    public int getAggregationMaxGroups()
    {
        return aggregationMaxGroups;
    }

    @Config("aggregation-max-groups")
    @ConfigDescription("Most groups that are merged from ranges; aggregations with more are one statement")
    public MysqlPqConfig setAggregationMaxGroups(int aggregationMaxGroups)
    {
        this.aggregationMaxGroups = aggregationMaxGroups;
        return this;
    }

    public boolean isAggregationBeforeNativeScan()
    {
        return aggregationBeforeNativeScan;
    }

    @Config("aggregation-before-native-scan")
    @ConfigDescription("Let MySQL compute aggregations also where the extension could read the rows itself")
    public MysqlPqConfig setAggregationBeforeNativeScan(boolean aggregationBeforeNativeScan)
    {
        this.aggregationBeforeNativeScan = aggregationBeforeNativeScan;
        return this;
    }

    public boolean isPacketDecodingEnabled()
    {
        return packetDecodingEnabled;
    }

    @Config("packet-decoding-enabled")
    @ConfigDescription("Decode rows as MySQL sends them, past the driver")
    public MysqlPqConfig setPacketDecodingEnabled(boolean packetDecodingEnabled)
    {
        this.packetDecodingEnabled = packetDecodingEnabled;
        return this;
    }

    public boolean isNativeScanEnabled()
    {
        return nativeScanEnabled;
    }

    @Config("native-scan-enabled")
    @ConfigDescription("Let the extension read ranges of primary keys into column batches")
    public MysqlPqConfig setNativeScanEnabled(boolean nativeScanEnabled)
    {
        this.nativeScanEnabled = nativeScanEnabled;
        return this;
    }

    public boolean isHypergraphOptimizerEnabled()
    {
        return hypergraphOptimizerEnabled;
    }

    @Config("hypergraph-optimizer-enabled")
    @ConfigDescription("Read ranges of keys of integers by MySQL's hypergraph optimizer, where it reads no more than the range")
    public MysqlPqConfig setHypergraphOptimizerEnabled(boolean hypergraphOptimizerEnabled)
    {
        this.hypergraphOptimizerEnabled = hypergraphOptimizerEnabled;
        return this;
    }

    public boolean isExtendedTypes()
    {
        return extendedTypes;
    }

    @Config("extended-types")
    @ConfigDescription("Map SET, YEAR, BIT(n), GEOMETRY and VECTOR to Trino types of their own, otherwise than Trino's MySQL connector")
    public MysqlPqConfig setExtendedTypes(boolean extendedTypes)
    {
        this.extendedTypes = extendedTypes;
        return this;
    }

    @NotNull
    public InvalidDateHandling getInvalidDateHandling()
    {
        return invalidDateHandling;
    }

    @Config("invalid-date-handling")
    @ConfigDescription("What a date is that no calendar has, such as 0000-00-00: ERROR (the query fails) or NULL")
    public MysqlPqConfig setInvalidDateHandling(InvalidDateHandling invalidDateHandling)
    {
        this.invalidDateHandling = invalidDateHandling;
        return this;
    }
}
