package io.mysqlpq.trino.split;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.mysqlpq.trino.planning.AccessPath;
import io.mysqlpq.trino.planning.RangeSample;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.TrinoException;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import static com.google.common.base.Suppliers.memoize;
import static io.mysqlpq.trino.split.TableHandles.withColumns;
import static java.util.Objects.requireNonNull;

/**
 * Names a table, the share of it that is read if not all of it is, its columns, and, to the reader of EXPLAIN, how it will be read.
 *
 * <p>Only the coordinator needs these: in JSON this is a plain named relation, and so it reaches the workers as one. To
 * find out columns and access path MySQL is asked, so that is put off until somebody reads them.
 */
@JsonTypeName("named")
public final class DescribedRelation
        extends JdbcNamedRelationHandle
{
    private final Optional<RangeSample> sample;
    private final Supplier<List<JdbcColumnHandle>> columns;
    private final Supplier<AccessPath> accessPath;

    /** @param columns all of the table's */
    public DescribedRelation(JdbcNamedRelationHandle relation, Optional<RangeSample> sample, Supplier<List<JdbcColumnHandle>> columns, Supplier<AccessPath> accessPath)
    {
        super(relation.getSchemaTableName(), relation.getRemoteTableName(), relation.getComment());
        this.sample = requireNonNull(sample, "sample is null");
        this.columns = requireNonNull(columns, "columns is null");
        this.accessPath = memoize(requireNonNull(accessPath, "accessPath is null")::get);
    }

    @JsonIgnore
    public Optional<RangeSample> sample()
    {
        return sample;
    }

    /** Names the columns that a scan reads, where Trino has asked for no projection: that is all of them. */
    public static JdbcTableHandle withKnownColumns(JdbcTableHandle table)
    {
        return table.getColumns().isEmpty() && table.getRelationHandle() instanceof DescribedRelation relation ? withColumns(table, relation.columns.get()) : table;
    }

    @Override
    public boolean equals(Object other)
    {
        return super.equals(other) && sample.equals(((DescribedRelation) other).sample);
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(super.hashCode(), sample);
    }

    @Override
    public String toString()
    {
        return "%s read=[%s%s]".formatted(super.toString(), sample.map(part -> part + " of ").orElse(""), describe());
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
