package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.error.PropertyRange;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.mysqlpq.trino.nativescan.NativeScanSessionProperties.isNativeScanEnabled;
import static io.mysqlpq.trino.nativescan.NativeScanSessionProperties.isRowIdScanEnabled;
import static io.mysqlpq.trino.planning.PlanningConfig.MOST_CONNECTIONS;
import static io.mysqlpq.trino.snapshot.SnapshotSessionProperties.snapshotMode;
import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.enumProperty;
import static io.trino.spi.session.PropertyMetadata.integerProperty;
import static io.trino.spi.session.PropertyMetadata.longProperty;
import static java.lang.Math.max;

/** Declares what a session may wish for the ranges of its scans. */
public class PlanningSessionProperties
        implements SessionPropertiesProvider
{
    private static final String PARALLEL_READS_ENABLED = "parallel_reads_enabled";
    private static final String RANGE_SOURCE = "range_source";
    private static final String TARGET_ROWS_PER_SPLIT = "target_rows_per_split";
    private static final String MAX_RANGES_PER_SCAN = "max_ranges_per_scan";
    private static final String PARALLEL_MIN_ROWS = "parallel_min_rows";
    private static final String MAX_CONNECTIONS_PER_QUERY = "max_connections_per_query";
    private static final String REPLICAS_PER_QUERY = "replicas_per_query";
    private static final String HYPERGRAPH_OPTIMIZER_ENABLED = "hypergraph_optimizer_enabled";

    private static final int MOST_RANGES = 4096;
    private static final int MOST_REPLICAS = 64;

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public PlanningSessionProperties(PlanningConfig config)
    {
        properties = ImmutableList.of(
                booleanProperty(
                        PARALLEL_READS_ENABLED,
                        "Read tables by several key ranges in parallel",
                        config.isParallelReadsEnabled(),
                        false),
                enumProperty(
                        RANGE_SOURCE,
                        "Source of ranges: AUTO (the extension; SQL if it is absent and snapshot_mode is NONE), EXTENSION (or fail), SQL, NONE (one split)",
                        RangeSource.class,
                        config.getRangeSource(),
                        false),
                longProperty(
                        TARGET_ROWS_PER_SPLIT,
                        "Target number of rows per range; smaller tables are one split",
                        config.getTargetRowsPerSplit(),
                        value -> PropertyRange.check(TARGET_ROWS_PER_SPLIT, value, Long.MAX_VALUE),
                        false),
                integerProperty(
                        MAX_RANGES_PER_SCAN,
                        "Maximum number of ranges of one table scan",
                        config.getMaxRangesPerScan(),
                        value -> PropertyRange.check(MAX_RANGES_PER_SCAN, value, MOST_RANGES),
                        false),
                longProperty(
                        PARALLEL_MIN_ROWS,
                        "Minimum estimated rows for parallel reads, after the filter on the index; 0 leaves it to target_rows_per_split",
                        config.getParallelMinRows(),
                        PlanningSessionProperties::checkMinRows,
                        false),
                integerProperty(
                        MAX_CONNECTIONS_PER_QUERY,
                        "Maximum number of connections that read the query, on all nodes together; each scan may have one on each node",
                        config.getMaxConnectionsPerQuery(),
                        value -> PropertyRange.check(MAX_CONNECTIONS_PER_QUERY, value, MOST_CONNECTIONS),
                        false),
                integerProperty(
                        REPLICAS_PER_QUERY,
                        "Most replicas that one query reads from at one moment",
                        config.getReplicasPerQuery(),
                        value -> PropertyRange.check(REPLICAS_PER_QUERY, value, MOST_REPLICAS),
                        false),
                booleanProperty(
                        HYPERGRAPH_OPTIMIZER_ENABLED,
                        "Use MySQL's hypergraph optimizer for ranges of integer keys if it reads only the range",
                        config.isHypergraphOptimizerEnabled(),
                        false));
    }

    private static void checkMinRows(long value)
    {
        if (value < 0) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "%s must not be negative: %d".formatted(PARALLEL_MIN_ROWS, value));
        }
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    public static PlanningOptions planningOptions(ConnectorSession session)
    {
        return new PlanningOptions(
                session.getProperty(PARALLEL_READS_ENABLED, Boolean.class),
                session.getProperty(RANGE_SOURCE, RangeSource.class),
                // Each of the replicas reads ranges of a scan.
                max(session.getProperty(TARGET_ROWS_PER_SPLIT, Long.class) / replicasPerQuery(session), 1),
                session.getProperty(MAX_RANGES_PER_SCAN, Integer.class),
                session.getProperty(MAX_CONNECTIONS_PER_QUERY, Integer.class),
                session.getProperty(PARALLEL_MIN_ROWS, Long.class),
                snapshotMode(session),
                session.getProperty(HYPERGRAPH_OPTIMIZER_ENABLED, Boolean.class),
                isNativeScanEnabled(session),
                isRowIdScanEnabled(session));
    }

    public static int replicasPerQuery(ConnectorSession session)
    {
        return session.getProperty(REPLICAS_PER_QUERY, Integer.class);
    }
}
