package io.mysqlpq.trino.aggregation;

import io.mysqlpq.trino.planning.PlanningOptions;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;

/** Describes an aggregation that can be computed range by range. */
public sealed interface AggregationByRanges
        permits MergedAggregation, WholeGroupAggregation
{
    /** The filtered table that is aggregated. */
    JdbcTableHandle table();

    /** The first columns of the result. */
    List<JdbcColumnHandle> groupBy();

    /** Whether the connector makes values of the result, of the types of its columns. Otherwise MySQL makes all of them. */
    boolean computedHere();

    /** Whether ranges still give the result after more was pushed down on top of the aggregation. */
    boolean gives(JdbcTableHandle result);

    /** Says how the aggregation's ranges are to be planned. */
    PlanningOptions rangeOptions(PlanningOptions planning, AggregationOptions aggregation);

    /** Names the kind of aggregation in EXPLAIN. */
    String kind();
}
