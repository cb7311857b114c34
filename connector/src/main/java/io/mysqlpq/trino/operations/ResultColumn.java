package io.mysqlpq.trino.operations;

import io.trino.spi.function.table.Descriptor;
import io.trino.spi.type.Type;

import java.util.List;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/** Names a column of a table function. */
record ResultColumn(String name, Type type)
{
    ResultColumn
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
    }

    /** Its values are strings, or null. */
    static ResultColumn text(String name)
    {
        return new ResultColumn(name, VARCHAR);
    }

    /** Its values are longs, or null. */
    static ResultColumn number(String name)
    {
        return new ResultColumn(name, BIGINT);
    }

    static Descriptor descriptor(List<ResultColumn> columns)
    {
        return Descriptor.descriptor(columns.stream().map(ResultColumn::name).toList(), columns.stream().map(ResultColumn::type).toList());
    }
}
