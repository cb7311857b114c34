package io.mysqlpq.trino;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.mysqlpq.trino.planning.AccessPath;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.spi.TrinoException;

import java.util.function.Supplier;

import static com.google.common.base.Suppliers.memoize;
import static java.util.Objects.requireNonNull;

/**
 * Names a table and, to the reader of EXPLAIN, how it will be read.
 *
 * <p>Only the coordinator needs the description: in JSON this is a plain named relation, and so it reaches the
 * workers as one. To find it out MySQL is asked, so that is put off until somebody reads it.
 */
@JsonTypeName("named")
final class DescribedRelation
        extends JdbcNamedRelationHandle
{
    private final Supplier<AccessPath> accessPath;

    DescribedRelation(JdbcNamedRelationHandle relation, Supplier<AccessPath> accessPath)
    {
        super(relation.getSchemaTableName(), relation.getRemoteTableName(), relation.getComment());
        this.accessPath = memoize(requireNonNull(accessPath, "accessPath is null")::get);
    }

    @Override
    public String toString()
    {
        return "%s read=[%s]".formatted(super.toString(), describe());
    }

    private String describe()
    {
        try {
            return accessPath.get().toString();
        }
        catch (TrinoException e) {
            return "not known: " + e.getMessage();
        }
    }
}
