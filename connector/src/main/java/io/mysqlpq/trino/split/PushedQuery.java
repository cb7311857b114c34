package io.mysqlpq.trino.split;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcQueryRelationHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A join, an aggregation or a filter over a limit that MySQL executes, and the tables that it reads.
 *
 * <p>Only the coordinator needs the tables: in JSON this is a plain query, and so it reaches the workers as one.
 */
@JsonTypeName("query")
public final class PushedQuery
        extends JdbcQueryRelationHandle
{
    private final List<RemoteTableName> tables;

    public PushedQuery(PreparedQuery query, List<RemoteTableName> tables)
    {
        super(query);
        this.tables = ImmutableList.copyOf(tables);
        checkArgument(!tables.isEmpty(), "tables is empty");
    }

    @JsonIgnore
    public List<RemoteTableName> tables()
    {
        return tables;
    }

    @Override
    public String toString()
    {
        return super.toString() + " read=[one split: pushed query]";
    }
}
