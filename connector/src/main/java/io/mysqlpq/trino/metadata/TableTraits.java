package io.mysqlpq.trino.metadata;

import io.mysqlpq.trino.aggregation.Grouping.ByRanges;
import io.mysqlpq.trino.aggregation.WholeGroupAggregation;
import io.mysqlpq.trino.planning.RangeSample;
import io.mysqlpq.trino.planning.ScanDecision;
import io.mysqlpq.trino.split.DescribedRelation;
import io.mysqlpq.trino.split.PushedQuery;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ConnectorTableHandle;

import java.util.Optional;

/** Tells what was pushed into a table's handle. */
final class TableTraits
{
    private TableTraits()
    {}

    /** EXPLAIN prints what is decided now. The query runs that, unless dynamic filters or a change of the table lead to another decision. */
    static Optional<ScanDecision> decision(ConnectorTableHandle table)
    {
        if (!(table instanceof JdbcTableHandle handle)) {
            return Optional.empty();
        }
        return switch (handle.getRelationHandle()) {
            case DescribedRelation relation -> Optional.of(relation.decision());
            case PushedQuery query -> query.byRanges().map(ByRanges::decision);
            default -> Optional.empty();
        };
    }

    static Optional<RangeSample> sample(ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle && handle.getRelationHandle() instanceof DescribedRelation relation ? relation.sample() : Optional.empty();
    }

    /** Anything that is pushed down on top of it makes it a query. */
    static boolean hasFirstRows(ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle && (handle.getLimit().isPresent() || handle.getSortOrder().isPresent());
    }

    static boolean isTableOfAllRows(ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle && handle.isNamedRelation() && handle.getLimit().isEmpty();
    }

    /** There is no SQL of it. Its rows are few, and what comes on top of them is left to Trino. */
    static boolean isAggregatedNatively(ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle && handle.getRelationHandle() instanceof PushedQuery query && query.isNative();
    }

    /** MySQL would compute all groups in one thread to give the first ones. */
    static boolean isReadByWholeGroups(ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle
                && handle.getRelationHandle() instanceof PushedQuery query
                && query.distinct().isEmpty()
                && query.byRanges().filter(ranges -> ranges.aggregation() instanceof WholeGroupAggregation && !ranges.decision().path().isWhole()).isPresent();
    }

    static boolean isOfWholeGroups(JdbcTableHandle table)
    {
        return table.getRelationHandle() instanceof PushedQuery query && query.byRanges().filter(ranges -> ranges.aggregation() instanceof WholeGroupAggregation).isPresent();
    }

    /** Groups that are computed here are of the types that the aggregation has. */
    static boolean isComputedHere(JdbcTableHandle table)
    {
        return table.getRelationHandle() instanceof PushedQuery query && query.byRanges().filter(ranges -> ranges.aggregation().computedHere()).isPresent();
    }
}
