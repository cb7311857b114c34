package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.mysqlpq.trino.aggregation.AggregationOptions;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangeSource;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.mysqlpq.trino.snapshot.SnapshotOptions;
import io.mysqlpq.trino.types.InvalidDateHandling;
import io.mysqlpq.trino.types.TypeOptions;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.Ordering.natural;
import static io.mysqlpq.trino.ParallelismConfig.MOST_CONNECTIONS;
import static io.mysqlpq.trino.rows.PacketDecoding.NATIVE_SCAN_ENABLED;
import static io.mysqlpq.trino.rows.PacketDecoding.PACKET_DECODING_ENABLED;
import static io.mysqlpq.trino.rows.PacketDecoding.isNativeScanEnabled;
import static io.trino.plugin.base.session.PropertyMetadataUtil.durationProperty;
import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.enumProperty;
import static io.trino.spi.session.PropertyMetadata.integerProperty;
import static io.trino.spi.session.PropertyMetadata.longProperty;
import static io.trino.spi.session.PropertyMetadata.stringProperty;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Declares the session twins of catalog properties, and reads them into values. */
public class MysqlPqSessionProperties
        implements SessionPropertiesProvider
{
    static final String PARALLEL_READS_ENABLED = "parallel_reads_enabled";
    static final String RANGE_SOURCE = "range_source";
    static final String TARGET_ROWS_PER_SPLIT = "target_rows_per_split";
    static final String MAX_RANGES_PER_SCAN = "max_ranges_per_scan";
    static final String PARALLEL_MIN_ROWS = "parallel_min_rows";
    static final String MAX_CONNECTIONS_PER_QUERY = "max_connections_per_query";
    static final String SNAPSHOT_MODE = "snapshot_mode";
    static final String SNAPSHOT_GROUP = "snapshot_group";
    static final String SNAPSHOT_GROUP_AGE = "snapshot_group_age";
    static final String AGGREGATION_PARALLELISM = "aggregation_parallelism";
    static final String AGGREGATION_MAX_GROUPS = "aggregation_max_groups";
    static final String AGGREGATION_BEFORE_NATIVE_SCAN = "aggregation_before_native_scan";
    static final String HYPERGRAPH_OPTIMIZER_ENABLED = "hypergraph_optimizer_enabled";
    static final String EXTENDED_TYPES = "extended_types";
    static final String INVALID_DATE_HANDLING = "invalid_date_handling";

    private static final int MOST_RANGES = 4096;
    private static final int MOST_PARALLELISM = 64;
    private static final int MOST_GROUPS = 1_000_000;
    private static final int LONGEST_GROUP = 64;
    private static final Duration LEAST_GROUP_AGE = new Duration(1, SECONDS);
    private static final Duration DEFAULT_GROUP_AGE = new Duration(1, MINUTES);

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public MysqlPqSessionProperties(MysqlPqConfig config, ParallelismConfig parallelism)
    {
        properties = ImmutableList.of(
                booleanProperty(
                        PARALLEL_READS_ENABLED,
                        "Read tables by several ranges at once",
                        config.isParallelReadsEnabled(),
                        false),
                enumProperty(
                        RANGE_SOURCE,
                        "Where ranges come from: AUTO (the extension, or SQL if it is absent and snapshot_mode is NONE), EXTENSION (or fail), SQL, NONE",
                        RangeSource.class,
                        config.getRangeSource(),
                        false),
                longProperty(
                        TARGET_ROWS_PER_SPLIT,
                        "Rows that a range should have; smaller tables are one split",
                        config.getTargetRowsPerSplit(),
                        value -> checkRange(TARGET_ROWS_PER_SPLIT, value, Long.MAX_VALUE),
                        false),
                integerProperty(
                        MAX_RANGES_PER_SCAN,
                        "Most ranges that one table scan is cut into",
                        config.getMaxRangesPerScan(),
                        value -> checkRange(MAX_RANGES_PER_SCAN, value, MOST_RANGES),
                        false),
                longProperty(
                        PARALLEL_MIN_ROWS,
                        "Estimated rows, after the filter on the index, from which on a scan is cut into ranges; 0 leaves it to target_rows_per_split",
                        parallelism.getParallelMinRows(),
                        MysqlPqSessionProperties::checkMinRows,
                        false),
                integerProperty(
                        MAX_CONNECTIONS_PER_QUERY,
                        "Connections that all nodes together read the query through at once; each node and scan may always have one",
                        parallelism.getMaxConnectionsPerQuery(),
                        value -> checkRange(MAX_CONNECTIONS_PER_QUERY, value, MOST_CONNECTIONS),
                        false),
                enumProperty(
                        SNAPSHOT_MODE,
                        "What a query's scans see together: AUTO (EXACT if the extension is present), EXACT (one moment, or fail), PER_SCAN, NONE",
                        SnapshotMode.class,
                        config.getSnapshotMode(),
                        false),
                stringProperty(
                        SNAPSHOT_GROUP,
                        "Name of the group whose queries share one snapshot",
                        null,
                        MysqlPqSessionProperties::checkGroup,
                        false),
                durationProperty(
                        SNAPSHOT_GROUP_AGE,
                        "Oldest snapshot of its group that a query accepts",
                        natural().min(DEFAULT_GROUP_AGE, config.getSnapshotGroupMaxAge()),
                        value -> checkGroupAge(value, config.getSnapshotGroupMaxAge()),
                        false),
                integerProperty(
                        AGGREGATION_PARALLELISM,
                        "Ranges that a pushed aggregation reads at the same time; 1 makes it one statement",
                        config.getAggregationParallelism(),
                        value -> checkRange(AGGREGATION_PARALLELISM, value, MOST_PARALLELISM),
                        false),
                integerProperty(
                        AGGREGATION_MAX_GROUPS,
                        "Most groups that are merged from ranges; aggregations with more are one statement",
                        config.getAggregationMaxGroups(),
                        value -> checkRange(AGGREGATION_MAX_GROUPS, value, MOST_GROUPS),
                        false),
                booleanProperty(
                        AGGREGATION_BEFORE_NATIVE_SCAN,
                        "Let MySQL compute aggregations also where the extension could read the rows itself",
                        config.isAggregationBeforeNativeScan(),
                        false),
                booleanProperty(
                        PACKET_DECODING_ENABLED,
                        "Decode rows as MySQL sends them, past the driver",
                        config.isPacketDecodingEnabled(),
                        false),
                booleanProperty(
                        NATIVE_SCAN_ENABLED,
                        "Let the extension read ranges of primary keys into column batches",
                        config.isNativeScanEnabled(),
                        false),
                booleanProperty(
                        HYPERGRAPH_OPTIMIZER_ENABLED,
                        "Read ranges of keys of integers by MySQL's hypergraph optimizer, where it reads no more than the range",
                        config.isHypergraphOptimizerEnabled(),
                        false),
                booleanProperty(
                        EXTENDED_TYPES,
                        "Map SET, YEAR, BIT(n), GEOMETRY and VECTOR to Trino types of their own, otherwise than Trino's MySQL connector",
                        config.isExtendedTypes(),
                        false),
                enumProperty(
                        INVALID_DATE_HANDLING,
                        "What a date is that no calendar has, such as 0000-00-00: ERROR (the query fails) or NULL",
                        InvalidDateHandling.class,
                        config.getInvalidDateHandling(),
                        false));
    }

    private static void checkGroup(String value)
    {
        if (value.isBlank() || value.length() > LONGEST_GROUP) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "%s must be a name of 1 to %d characters: '%s'".formatted(SNAPSHOT_GROUP, LONGEST_GROUP, value));
        }
    }

    private static void checkGroupAge(Duration value, Duration greatest)
    {
        if (value.compareTo(LEAST_GROUP_AGE) < 0 || value.compareTo(greatest) > 0) {
            throw new TrinoException(
                    INVALID_SESSION_PROPERTY,
                    "%s must be between %s and %s, the catalog's snapshot-group-max-age: %s".formatted(SNAPSHOT_GROUP_AGE, LEAST_GROUP_AGE, greatest, value));
        }
    }

    private static void checkMinRows(long value)
    {
        if (value < 0) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "%s must not be negative: %d".formatted(PARALLEL_MIN_ROWS, value));
        }
    }

    private static void checkRange(String property, long value, long greatest)
    {
        if (value < 1 || value > greatest) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "%s must be between 1 and %d: %d".formatted(property, greatest, value));
        }
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    static PlanningOptions planningOptions(ConnectorSession session)
    {
        return new PlanningOptions(
                session.getProperty(PARALLEL_READS_ENABLED, Boolean.class),
                session.getProperty(RANGE_SOURCE, RangeSource.class),
                session.getProperty(TARGET_ROWS_PER_SPLIT, Long.class),
                session.getProperty(MAX_RANGES_PER_SCAN, Integer.class),
                session.getProperty(MAX_CONNECTIONS_PER_QUERY, Integer.class),
                session.getProperty(PARALLEL_MIN_ROWS, Long.class),
                session.getProperty(SNAPSHOT_MODE, SnapshotMode.class),
                session.getProperty(HYPERGRAPH_OPTIMIZER_ENABLED, Boolean.class),
                isNativeScanEnabled(session),
                // Dates that are to be NULL are left to SQL, which cannot read by row ids.
                isNativeScanEnabled(session) && session.getProperty(INVALID_DATE_HANDLING, InvalidDateHandling.class) == InvalidDateHandling.ERROR);
    }

    static SnapshotOptions snapshotOptions(ConnectorSession session)
    {
        return new SnapshotOptions(
                session.getProperty(SNAPSHOT_MODE, SnapshotMode.class),
                Optional.ofNullable(session.getProperty(SNAPSHOT_GROUP, String.class)),
                session.getProperty(SNAPSHOT_GROUP_AGE, Duration.class));
    }

    static AggregationOptions aggregationOptions(ConnectorSession session)
    {
        return new AggregationOptions(
                session.getProperty(AGGREGATION_PARALLELISM, Integer.class),
                session.getProperty(AGGREGATION_MAX_GROUPS, Integer.class),
                session.getProperty(AGGREGATION_BEFORE_NATIVE_SCAN, Boolean.class));
    }

    static TypeOptions typeOptions(ConnectorSession session)
    {
        return new TypeOptions(
                session.getProperty(EXTENDED_TYPES, Boolean.class),
                session.getProperty(INVALID_DATE_HANDLING, InvalidDateHandling.class));
    }
}
