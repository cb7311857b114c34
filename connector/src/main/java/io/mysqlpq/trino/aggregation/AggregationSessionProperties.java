package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.error.PropertyRange;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.integerProperty;

/** Declares what a session may wish for aggregations that MySQL computes. */
public class AggregationSessionProperties
        implements SessionPropertiesProvider
{
    private static final String AGGREGATION_PARALLELISM = "aggregation_parallelism";
    private static final String AGGREGATION_MAX_GROUPS = "aggregation_max_groups";
    private static final String AGGREGATION_BEFORE_NATIVE_SCAN = "aggregation_before_native_scan";
    private static final String NATIVE_AGGREGATION_ENABLED = "native_aggregation_enabled";

    private static final int MOST_PARALLELISM = 64;
    private static final int MOST_GROUPS = 1_000_000;

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public AggregationSessionProperties(AggregationConfig config)
    {
        properties = ImmutableList.of(
                integerProperty(
                        AGGREGATION_PARALLELISM,
                        "Number of ranges that a pushed-down aggregation reads in parallel; 1 turns aggregations by ranges off",
                        config.getAggregationParallelism(),
                        value -> PropertyRange.check(AGGREGATION_PARALLELISM, value, MOST_PARALLELISM),
                        false),
                integerProperty(
                        AGGREGATION_MAX_GROUPS,
                        "Maximum number of groups merged from ranges; larger aggregations are one statement, or stay with Trino",
                        config.getAggregationMaxGroups(),
                        value -> PropertyRange.check(AGGREGATION_MAX_GROUPS, value, MOST_GROUPS),
                        false),
                booleanProperty(
                        AGGREGATION_BEFORE_NATIVE_SCAN,
                        "Push aggregations down to MySQL even if the extension can read the rows natively",
                        config.isAggregationBeforeNativeScan(),
                        false),
                booleanProperty(
                        NATIVE_AGGREGATION_ENABLED,
                        "Let the extension aggregate the rows that it reads natively, if there are few groups",
                        config.isNativeAggregationEnabled(),
                        false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    public static AggregationOptions aggregationOptions(ConnectorSession session)
    {
        return new AggregationOptions(
                session.getProperty(AGGREGATION_PARALLELISM, Integer.class),
                session.getProperty(AGGREGATION_MAX_GROUPS, Integer.class),
                session.getProperty(AGGREGATION_BEFORE_NATIVE_SCAN, Boolean.class),
                session.getProperty(NATIVE_AGGREGATION_ENABLED, Boolean.class));
    }
}
