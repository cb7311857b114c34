package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.type.Type;

import java.util.Optional;
import java.util.Set;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.plugin.base.util.JsonTypeUtil.jsonParse;
import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.StandardColumnMappings.varcharWriteFunction;
import static io.trino.spi.type.StandardTypes.JSON;

/** Describes JSON. */
final class MysqlJson
        extends MysqlType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("JSON");
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.JSON);
    }

    @Override
    public String protocolName()
    {
        return "json";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(ColumnMapping.sliceMapping(context.jsonType(), (rows, column) -> jsonParse(utf8Slice(rows.getString(column))), varcharWriteFunction(), DISABLE_PUSHDOWN));
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return type.getBaseName().equals(JSON) ? Optional.of(WriteMapping.sliceMapping("json", varcharWriteFunction())) : Optional.empty();
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return ReturnedValue.JSON.unlessText(type);
    }
}
