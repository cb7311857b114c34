package io.mysqlpq.trino.split;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.aggregation.AggregationByRanges;
import io.mysqlpq.trino.planning.OneSplitReason;
import io.trino.plugin.jdbc.JdbcQueryRelationHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Suppliers.memoize;
import static java.util.Objects.requireNonNull;

/**
 * A join, an aggregation or a filter over a limit that MySQL executes, and the tables that it reads.
 *
 * <p>Only the coordinator needs more than the query: in JSON this is a plain one, and so it reaches the workers.
 */
@JsonTypeName("query")
public final class PushedQuery
        extends JdbcQueryRelationHandle
{
    private final List<RemoteTableName> tables;
    private final Optional<AggregationByRanges> byRanges;
    private final Optional<DistinctRows> distinct;
    private final Supplier<String> description;

    public PushedQuery(PreparedQuery query, List<RemoteTableName> tables)
    {
        this(query, tables, Optional.empty(), () -> "one split: " + OneSplitReason.PUSHED_QUERY);
    }

    /**
     * @param byRanges how ranges give what the query gives
     * @param description how the query is read, for EXPLAIN
     */
    public PushedQuery(PreparedQuery query, List<RemoteTableName> tables, Optional<AggregationByRanges> byRanges, Supplier<String> description)
    {
        this(query, tables, byRanges, Optional.empty(), description);
    }

    private PushedQuery(PreparedQuery query, List<RemoteTableName> tables, Optional<AggregationByRanges> byRanges, Optional<DistinctRows> distinct, Supplier<String> description)
    {
        super(query);
        this.tables = ImmutableList.copyOf(tables);
        this.byRanges = requireNonNull(byRanges, "byRanges is null");
        this.distinct = requireNonNull(distinct, "distinct is null");
        this.description = memoize(requireNonNull(description, "description is null")::get);
        checkArgument(!tables.isEmpty(), "tables is empty");
    }

    @JsonIgnore
    public List<RemoteTableName> tables()
    {
        return tables;
    }

    @JsonIgnore
    public Optional<AggregationByRanges> byRanges()
    {
        return byRanges;
    }

    /** What the query selects, if that is distinct rows of a table, without functions. */
    @JsonIgnore
    public Optional<DistinctRows> distinct()
    {
        return distinct;
    }

    public PushedQuery ofDistinct(DistinctRows rows)
    {
        return new PushedQuery(getPreparedQuery(), tables, byRanges, Optional.of(rows), description);
    }

    /** Fewer of its rows. */
    public PushedQuery first(PreparedQuery query)
    {
        return new PushedQuery(query, tables, byRanges, Optional.empty(), description);
    }

    @Override
    public String toString()
    {
        return "%s read=[%s]".formatted(super.toString(), description.get());
    }
}
