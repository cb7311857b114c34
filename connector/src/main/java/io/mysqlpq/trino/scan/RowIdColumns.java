package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.type.RowType;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.trino.plugin.jdbc.DefaultJdbcMetadata.MERGE_ROW_ID;

/**
 * Says which columns to read when Trino wants rows with their ids.
 *
 * @param scanned columns to read from MySQL: those that Trino wants, and the key's
 * @param keyChannels where the key's columns stand among those scanned
 * @param outputChannels where Trino's columns stand among those scanned; empty for the row id
 */
record RowIdColumns(List<JdbcColumnHandle> scanned, List<Integer> keyChannels, List<Optional<Integer>> outputChannels)
{
    RowIdColumns
    {
        scanned = ImmutableList.copyOf(scanned);
        keyChannels = ImmutableList.copyOf(keyChannels);
        outputChannels = ImmutableList.copyOf(outputChannels);
    }

    static boolean isRowId(JdbcColumnHandle column)
    {
        return column.getColumnName().equals(MERGE_ROW_ID);
    }

    /** @param tableColumns all columns of the table; those of the key are named by the row id's type */
    static RowIdColumns of(List<JdbcColumnHandle> wanted, List<JdbcColumnHandle> tableColumns)
    {
        JdbcColumnHandle rowId = wanted.stream().filter(RowIdColumns::isRowId).collect(onlyElement());
        Set<JdbcColumnHandle> distinct = new LinkedHashSet<>();
        wanted.stream().filter(column -> !isRowId(column)).forEach(distinct::add);
        List<JdbcColumnHandle> key = ((RowType) rowId.getColumnType()).getFields().stream()
                .map(field -> named(tableColumns, field.getName().orElseThrow()))
                .collect(toImmutableList());
        distinct.addAll(key);
        List<JdbcColumnHandle> scanned = ImmutableList.copyOf(distinct);
        return new RowIdColumns(
                scanned,
                key.stream().map(scanned::indexOf).collect(toImmutableList()),
                wanted.stream().map(column -> isRowId(column) ? Optional.<Integer>empty() : Optional.of(scanned.indexOf(column))).collect(toImmutableList()));
    }

    private static JdbcColumnHandle named(List<JdbcColumnHandle> columns, String name)
    {
        return columns.stream().filter(column -> column.getColumnName().equals(name)).collect(onlyElement());
    }
}
