package io.mysqlpq.trino.split;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;

import static java.util.Objects.requireNonNull;

/** Names a table together with the index that its range is read by. Never leaves the worker that made it. */
@JsonTypeName("named")
public final class IndexedRelation
        extends JdbcNamedRelationHandle
{
    private final String index;

    public IndexedRelation(JdbcNamedRelationHandle relation, String index)
    {
        super(relation.getSchemaTableName(), relation.getRemoteTableName(), relation.getComment());
        this.index = requireNonNull(index, "index is null");
    }

    public String index()
    {
        return index;
    }
}
