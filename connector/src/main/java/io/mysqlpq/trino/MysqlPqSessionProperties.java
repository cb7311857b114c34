package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangeSource;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.enumProperty;
import static io.trino.spi.session.PropertyMetadata.integerProperty;
import static io.trino.spi.session.PropertyMetadata.longProperty;

/** Declares the session twins of catalog properties, and reads them into values. */
public class MysqlPqSessionProperties
        implements SessionPropertiesProvider
{
    static final String PARALLEL_READS_ENABLED = "parallel_reads_enabled";
    static final String RANGE_SOURCE = "range_source";
    static final String TARGET_ROWS_PER_SPLIT = "target_rows_per_split";
    static final String MAX_RANGES_PER_SCAN = "max_ranges_per_scan";

    private static final int MOST_RANGES = 4096;

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public MysqlPqSessionProperties(MysqlPqConfig config)
    {
        properties = ImmutableList.of(
                booleanProperty(
                        PARALLEL_READS_ENABLED,
                        "Read tables by several ranges at once, each with its own view of the data",
                        config.isParallelReadsEnabled(),
                        false),
                enumProperty(
                        RANGE_SOURCE,
                        "Where ranges come from: AUTO (the extension if present), EXTENSION (or fail), NONE",
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
                        false));
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
                session.getProperty(MAX_RANGES_PER_SCAN, Integer.class));
    }
}
