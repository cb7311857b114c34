package io.mysqlpq.trino;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.mysqlpq.trino.planning.AccessPath;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;

import static java.util.Objects.requireNonNull;

/**
 * Names a table and, to the reader of EXPLAIN, how it will be read.
 *
 * <p>Only the coordinator needs the description: in JSON this is a plain named relation, and so it reaches the
 * workers as one.
 */
@JsonTypeName("named")
final class DescribedRelation
        extends JdbcNamedRelationHandle
{
    private final AccessPath accessPath;

    DescribedRelation(JdbcNamedRelationHandle relation, AccessPath accessPath)
    {
        super(relation.getSchemaTableName(), relation.getRemoteTableName(), relation.getComment());
        this.accessPath = requireNonNull(accessPath, "accessPath is null");
    }

    @Override
    public String toString()
    {
        return "%s read=[%s]".formatted(super.toString(), accessPath);
    }
}
