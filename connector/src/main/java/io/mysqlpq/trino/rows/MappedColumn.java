package io.mysqlpq.trino.rows;

import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.Type;

import static java.util.Objects.requireNonNull;

/** A column of a result set and what it becomes in Trino. */
public record MappedColumn(String name, JdbcTypeHandle mysqlType, ColumnMapping mapping)
{
    public MappedColumn
    {
        requireNonNull(name, "name is null");
        requireNonNull(mysqlType, "mysqlType is null");
        requireNonNull(mapping, "mapping is null");
    }

    Type type()
    {
        return mapping.getType();
    }
}
