package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.nativescan.FilteredRelation;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.type.RowType;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.mysqlpq.trino.handle.TableHandles.withColumns;
import static io.trino.plugin.jdbc.DefaultJdbcMetadata.MERGE_ROW_ID;

/**
 * Says which values a row's id carries beside its key. They are the values that the row had when Trino computed a change of it.
 *
 * <p>Trino asks for the id's type before it knows what a statement reads. The type has a field for each column whose values can be
 * compared. The field holds NULL if the statement does not depend on that column.
 */
public final class OldValues
{
    private static final String FIELD = "old";

    private OldValues()
    {}

    /**
     * The type of a row's id: the columns of the key, then one row of the others. No column of MySQL has a ROW type, so nothing else is a row there.
     *
     * @param others columns that are not of the key
     */
    public static RowType rowIdType(List<JdbcColumnHandle> key, List<JdbcColumnHandle> others)
    {
        return RowType.from(Stream.concat(fields(key), others.isEmpty() ? Stream.of() : Stream.of(RowType.field(FIELD, RowType.from(fields(others).toList())))).toList());
    }

    private static Stream<RowType.Field> fields(List<JdbcColumnHandle> columns)
    {
        return columns.stream().map(column -> RowType.field(column.getColumnName(), column.getColumnType()));
    }

    /** The fields of the key's columns in a type that rowIdType made. */
    public static List<RowType.Field> keys(RowType rowId)
    {
        return rowId.getFields().stream().filter(field -> !(field.getType() instanceof RowType)).collect(toImmutableList());
    }

    /** The fields of the other columns in a type that rowIdType made. */
    public static List<RowType.Field> others(RowType rowId)
    {
        return rowId.getFields().getLast().getType() instanceof RowType others ? others.getFields() : ImmutableList.of();
    }

    /** Whether Trino wants rows with their ids, as far as the handle knows its columns. */
    public static boolean hasRowId(JdbcTableHandle scan)
    {
        return rowIdType(scan).isPresent();
    }

    /** Whether ids that the scan gives have the fields of these columns, as far as the handle knows its columns. */
    public static boolean isRowIdOf(JdbcTableHandle scan, List<JdbcColumnHandle> key, List<JdbcColumnHandle> others)
    {
        return rowIdType(scan).map(rowIdType(key, others)::equals).orElse(true);
    }

    // A table without a primary key has ids of another type.
    private static Optional<RowType> rowIdType(JdbcTableHandle scan)
    {
        return scan.getColumns().stream().flatMap(List::stream)
                .filter(column -> column.getColumnName().equals(MERGE_ROW_ID) && column.getColumnType() instanceof RowType)
                .map(column -> (RowType) column.getColumnType())
                .findFirst();
    }

    /** The columns that such a scan reads for the ids: the key's, and those of the others that the change depends on. */
    public static List<JdbcColumnHandle> idColumns(JdbcTableHandle scan, List<JdbcColumnHandle> tableColumns)
    {
        RowType rowId = rowIdType(scan).orElseThrow();
        Set<String> key = names(keys(rowId));
        Set<String> others = names(others(rowId));
        return Stream.concat(
                tableColumns.stream().filter(column -> key.contains(column.getColumnName())),
                readBy(scan, tableColumns.stream().filter(column -> others.contains(column.getColumnName())).collect(toImmutableList())).stream())
                .collect(toImmutableList());
    }

    private static Set<String> names(List<RowType.Field> fields)
    {
        return fields.stream().map(RowType.Field::getName).map(Optional::orElseThrow).collect(toImmutableSet());
    }

    /** Returns those of the columns that a scan reads, filters by or orders by. The answer depends only on the handle, as the coordinator has it. */
    public static List<JdbcColumnHandle> readBy(JdbcTableHandle scan, List<JdbcColumnHandle> columns)
    {
        Optional<Set<JdbcColumnHandle>> named = NamedColumns.of(scan);
        if (scan.getColumns().isEmpty() || named.isEmpty()) {
            return columns;
        }
        Set<String> read = named.get().stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableSet());
        return columns.stream().filter(column -> read.contains(column.getColumnName())).collect(toImmutableList());
    }

    /** The table of a pushed UPDATE or DELETE, with the columns that its expressions name. */
    public static JdbcTableHandle withFilteredColumns(JdbcTableHandle table)
    {
        return withColumns(table, ImmutableList.copyOf(FilteredRelation.columns(table).orElseThrow(() -> new IllegalStateException("Columns of a pushed expression are not known: " + table))));
    }

    /** The columns that a pushed UPDATE or DELETE is filtered by. */
    public static List<JdbcColumnHandle> filteredBy(JdbcTableHandle table)
    {
        return Stream.concat(NamedColumns.constrained(table), table.getColumns().stream().flatMap(List::stream)).distinct().collect(toImmutableList());
    }
}
