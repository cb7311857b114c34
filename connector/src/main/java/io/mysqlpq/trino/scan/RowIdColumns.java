package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.split.OldValues;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

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
 * @param scanned columns to read from MySQL: those that Trino wants, the key's, and those whose old values the id carries
 * @param keyChannels where the key's columns stand among those scanned
 * @param oldTypes types of the id's fields for old values
 * @param oldChannels where the columns of these fields stand among those scanned; empty for a field that holds NULL
 * @param outputChannels where Trino's columns stand among those scanned; empty for the row id
 */
record RowIdColumns(List<JdbcColumnHandle> scanned, List<Integer> keyChannels, List<Type> oldTypes, List<Optional<Integer>> oldChannels, List<Optional<Integer>> outputChannels)
{
    RowIdColumns
    {
        scanned = ImmutableList.copyOf(scanned);
        keyChannels = ImmutableList.copyOf(keyChannels);
        oldTypes = ImmutableList.copyOf(oldTypes);
        oldChannels = ImmutableList.copyOf(oldChannels);
        outputChannels = ImmutableList.copyOf(outputChannels);
    }

    static boolean isRowId(JdbcColumnHandle column)
    {
        return column.getColumnName().equals(MERGE_ROW_ID);
    }

    /** @param tableColumns all columns of the table; those of the id are named by its type */
    static RowIdColumns of(List<JdbcColumnHandle> wanted, JdbcTableHandle table, List<JdbcColumnHandle> tableColumns)
    {
        RowType rowId = (RowType) wanted.stream().filter(RowIdColumns::isRowId).collect(onlyElement()).getColumnType();
        List<JdbcColumnHandle> key = named(tableColumns, OldValues.keyNames(rowId));
        List<JdbcColumnHandle> others = named(tableColumns, OldValues.otherNames(rowId));
        List<JdbcColumnHandle> old = OldValues.readBy(table, others);
        Set<JdbcColumnHandle> distinct = new LinkedHashSet<>();
        wanted.stream().filter(column -> !isRowId(column)).forEach(distinct::add);
        distinct.addAll(key);
        distinct.addAll(old);
        List<JdbcColumnHandle> scanned = ImmutableList.copyOf(distinct);
        return new RowIdColumns(
                scanned,
                key.stream().map(scanned::indexOf).collect(toImmutableList()),
                others.stream().map(JdbcColumnHandle::getColumnType).collect(toImmutableList()),
                others.stream().map(column -> old.contains(column) ? Optional.of(scanned.indexOf(column)) : Optional.<Integer>empty()).collect(toImmutableList()),
                wanted.stream().map(column -> isRowId(column) ? Optional.<Integer>empty() : Optional.of(scanned.indexOf(column))).collect(toImmutableList()));
    }

    private static List<JdbcColumnHandle> named(List<JdbcColumnHandle> columns, List<String> names)
    {
        return names.stream().map(name -> named(columns, name)).collect(toImmutableList());
    }

    private static JdbcColumnHandle named(List<JdbcColumnHandle> columns, String name)
    {
        return columns.stream().filter(column -> column.getColumnName().equals(name)).collect(onlyElement());
    }
}
