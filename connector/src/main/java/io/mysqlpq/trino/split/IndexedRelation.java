package io.mysqlpq.trino.split;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;

import java.util.List;

import static java.util.Objects.requireNonNull;

/** Names a table with the partitions and the index by which its range is read. Never leaves the worker that made it. */
@JsonTypeName("named")
public final class IndexedRelation
        extends JdbcNamedRelationHandle
{
    private final List<String> partitions;
    private final String index;

    public IndexedRelation(JdbcNamedRelationHandle relation, List<String> partitions, String index)
    {
        super(relation.getSchemaTableName(), relation.getRemoteTableName(), relation.getComment());
        this.partitions = ImmutableList.copyOf(partitions);
        this.index = requireNonNull(index, "index is null");
    }

    public List<String> partitions()
    {
        return partitions;
    }

    public String index()
    {
        return index;
    }
}
