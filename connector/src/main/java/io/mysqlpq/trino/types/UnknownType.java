package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;

import java.util.Optional;
import java.util.Set;

/** Stands for types that the connector does not know: their columns are hidden, or read as text. */
final class UnknownType
        extends MysqlType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of();
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of();
    }

    @Override
    public String protocolName()
    {
        return "unknown";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.empty();
    }
}
