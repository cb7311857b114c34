package io.mysqlpq.trino.aggregation;

import io.mysqlpq.trino.planning.PlanningOptions;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;

/** Describes an aggregation that can be computed range by range. */
public sealed interface AggregationByRanges
        permits PartialAggregation, WholeGroupAggregation
{
    /** The filtered table that is aggregated. */
    JdbcTableHandle table();

    /** The first columns of the result. */
    List<JdbcColumnHandle> groupBy();

    /** Whether values of the result are made here, of the types of its columns, and not by MySQL alone. */
    boolean computedHere();

    /** Whether ranges still give the result with all that was pushed down on top of it. */
    boolean gives(JdbcTableHandle result);

    /** How its ranges are to be planned. */
    PlanningOptions rangeOptions(PlanningOptions planning, AggregationOptions aggregation);

    /** What EXPLAIN calls it. */
    String kind();
}
