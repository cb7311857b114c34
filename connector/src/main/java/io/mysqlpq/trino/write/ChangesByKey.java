package io.mysqlpq.trino.write;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Describes rows that are changed as they come, each by its key. A row consists of the new values and the key. */
final class ChangesByKey
        extends JdbcOutputTableHandle
{
    ChangesByKey(RemoteTableName table, List<JdbcColumnHandle> columns)
    {
        super(
                table,
                columns.stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableList()),
                columns.stream().map(JdbcColumnHandle::getColumnType).collect(toImmutableList()),
                Optional.of(columns.stream().map(JdbcColumnHandle::getJdbcTypeHandle).collect(toImmutableList())),
                Optional.empty(),
                Optional.empty());
    }
}
