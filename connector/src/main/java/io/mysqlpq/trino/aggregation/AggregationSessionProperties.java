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

/** Declares what a session may wish for aggregations that Trino does not compute. */
public class AggregationSessionProperties
        implements SessionPropertiesProvider
{
    private static final String AGGREGATION_PARALLELISM = "aggregation_parallelism";
    private static final String AGGREGATION_MAX_GROUPS = "aggregation_max_groups";
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
                        "Number of ranges that one worker aggregates in parallel; 1 turns aggregations by ranges off",
                        config.getAggregationParallelism(),
                        value -> PropertyRange.check(AGGREGATION_PARALLELISM, value, MOST_PARALLELISM),
                        false),
                integerProperty(
                        AGGREGATION_MAX_GROUPS,
                        "Expected groups up to which one worker merges those of all ranges",
                        config.getAggregationMaxGroups(),
                        value -> PropertyRange.check(AGGREGATION_MAX_GROUPS, value, MOST_GROUPS),
                        false),
                booleanProperty(
                        NATIVE_AGGREGATION_ENABLED,
                        "Let the extension aggregate the rows that it reads natively",
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
                session.getProperty(NATIVE_AGGREGATION_ENABLED, Boolean.class));
    }
}
