package io.mysqlpq.trino.split;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.aggregation.DistinctRows;
import io.mysqlpq.trino.aggregation.FirstRows;
import io.mysqlpq.trino.aggregation.Grouping.ByRanges;
import io.trino.plugin.jdbc.JdbcQueryRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.planning.OneSplitReason.PUSHED_QUERY;
import static java.util.Objects.requireNonNull;

/**
 * Describes a join, an aggregation or a filter over a limit that MySQL executes, and the tables that it reads.
 *
 * <p>Only the coordinator needs more than the query. In JSON this is a plain query, and workers see it as one.
 */
@JsonTypeName("query")
public final class PushedQuery
        extends JdbcQueryRelationHandle
{
    private static final PreparedQuery NO_SQL = new PreparedQuery("-- no SQL: the extension aggregates", ImmutableList.of());

    private final List<SplitTable> tables;
    private final Optional<ByRanges> byRanges;
    private final Optional<DistinctRows> distinct;

    public PushedQuery(PreparedQuery query, List<SplitTable> tables)
    {
        this(query, tables, Optional.empty(), Optional.empty());
    }

    private PushedQuery(PreparedQuery query, List<SplitTable> tables, Optional<ByRanges> byRanges, Optional<DistinctRows> distinct)
    {
        super(query);
        this.tables = ImmutableList.copyOf(tables);
        this.byRanges = requireNonNull(byRanges, "byRanges is null");
        this.distinct = requireNonNull(distinct, "distinct is null");
        checkArgument(!tables.isEmpty(), "tables is empty");
    }

    @JsonIgnore
    public List<SplitTable> tables()
    {
        return tables;
    }

    /** Says how ranges give what the query gives. */
    @JsonIgnore
    public Optional<ByRanges> byRanges()
    {
        return byRanges;
    }

    /** Returns the distinct rows that the query selects, if it selects distinct rows of a table, without functions. */
    @JsonIgnore
    public Optional<DistinctRows> distinct()
    {
        return distinct;
    }

    /** Makes the query of an aggregation that no SQL computes. */
    public static PushedQuery ofNative(ByRanges ranges)
    {
        return new PushedQuery(NO_SQL, ImmutableList.of(SplitTable.of(ranges.aggregation().table())), Optional.of(ranges), Optional.empty());
    }

    /** Whether no SQL computes it. */
    @JsonIgnore
    public boolean isNative()
    {
        return getPreparedQuery().equals(NO_SQL);
    }

    public PushedQuery with(ByRanges ranges)
    {
        return new PushedQuery(getPreparedQuery(), tables, Optional.of(ranges), distinct);
    }

    public PushedQuery ofDistinct(DistinctRows rows)
    {
        return new PushedQuery(getPreparedQuery(), tables, byRanges, Optional.of(rows));
    }

    /** The first of its distinct rows. */
    public PushedQuery first(FirstRows rows)
    {
        boolean unchanged = rows.query().equals(getPreparedQuery());
        return new PushedQuery(rows.query(), tables, byRanges.filter(_ -> rows.byRanges()), distinct.filter(_ -> unchanged));
    }

    /** Returns the same query. It is read by ranges only if these still give the result with all that was pushed down on top of it. */
    public PushedQuery giving(JdbcTableHandle result)
    {
        return new PushedQuery(getPreparedQuery(), tables, byRanges.filter(ranges -> ranges.aggregation().gives(result)), distinct);
    }

    @Override
    public String toString()
    {
        String query = isNative() ? tables.getFirst().name().toString() : super.toString();
        return "%s read=[%s]".formatted(query, byRanges.map(ByRanges::toString).orElse("one split: " + PUSHED_QUERY));
    }
}
