package io.mysqlpq.trino.aggregation;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;

/** Describes an aggregation that MySQL can compute range by range. */
public sealed interface AggregationByRanges
        permits PartialAggregation, WholeGroups
{
    /** The filtered table that is aggregated. */
    JdbcTableHandle table();

    /** The first columns of the result. */
    List<JdbcColumnHandle> groupBy();

    /** Whether values of the result are made here, of the types of its columns, and not by MySQL alone. */
    boolean computedHere();
}
