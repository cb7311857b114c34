package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;

import java.util.Optional;
import java.util.Set;

/** Describes what MySQL sends for NULL in an expression, which has no other type. */
final class MysqlNull
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
        return ImmutableSet.of(com.mysql.cj.MysqlType.NULL);
    }

    @Override
    public String protocolName()
    {
        return "null";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.empty();
    }
}
