package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyEncoding;
import io.mysqlpq.trino.protocol.ScannedRows;
import io.mysqlpq.trino.protocol.ScannedRows.FirstRows;
import io.mysqlpq.trino.protocol.ScannedRows.Order;
import io.mysqlpq.trino.types.CellType;
import io.mysqlpq.trino.types.ExpressionColumns;
import io.mysqlpq.trino.types.MysqlTypes;
import io.mysqlpq.trino.types.NativeColumn;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcSortItem;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;

/** Tells what the extension can read of a table. */
public final class NativeTable
{
    private NativeTable()
    {}

    /** Whether the extension reads rows by the index. SQL can go on behind any row of a primary key that this accepts; it never reads by row ids. */
    public static boolean isReadBy(IndexKey key)
    {
        return key.clustered()
                && key.whole()
                && (key.index().equals(IndexKey.PRIMARY) || key.isOfRowIds())
                && key.columnsReadByRange() == key.columns().size()
                && key.columns().stream().noneMatch(column -> column.prefixLength().isPresent() || column.encoding() == KeyEncoding.DOUBLE);
    }

    /** Whether cells of the column usually lie in the record itself. MySQL itself has to fetch other cells, and would send all of them. */
    public static boolean isInRecord(JdbcColumnHandle column)
    {
        return MysqlTypes.of(column).isInRecord(column.getJdbcTypeHandle());
    }

    /** Whether the extension can read these columns of the rows that pass the table's filters, as far as types tell. */
    public static boolean reads(JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        return rows(table, columns).isPresent();
    }

    /** Returns what to ask the extension for. Empty if it cannot read that, as far as types tell, or accepts no request of that size. */
    public static Optional<ScannedRows> rows(JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        return FilteredRelation.filter(table).flatMap(expressions -> rows(table, expressions, columns));
    }

    /** @param expressions keeps the rows that pass the table's expressions */
    public static Optional<ScannedRows> rows(JdbcTableHandle table, NativeFilter expressions, List<JdbcColumnHandle> columns)
    {
        if (!table.isNamedRelation() || table.getLimit().isPresent() != table.getSortOrder().isPresent() || !isOrdered(table)) {
            return Optional.empty();
        }
        ImmutableList.Builder<ScannedRows.Column> scanned = ImmutableList.builder();
        for (JdbcColumnHandle column : columns) {
            Optional<NativeColumn> cells = NativeColumn.of(column.getJdbcTypeHandle(), column.getColumnType());
            if (cells.isEmpty()) {
                return Optional.empty();
            }
            scanned.add(new ScannedRows.Column(column.getColumnName(), cells.get().layout().protocolName()));
        }
        return NativeFilters.all(table.getConstraint())
                .map(conditions -> NativeFilter.all(ImmutableList.of(new NativeFilter(types(table, columns), conditions), expressions)))
                .map(filter -> new ScannedRows(scanned.build(), filter.types(), filter.conditions(), ImmutableList.of(), firstRows(table)))
                .filter(ScannedRows::isWithinLimits);
    }

    private static boolean isOrdered(JdbcTableHandle table)
    {
        return table.getSortOrder().stream().flatMap(List::stream).map(JdbcSortItem::column).allMatch(ExpressionColumns::areOrdered);
    }

    private static Optional<FirstRows> firstRows(JdbcTableHandle table)
    {
        return table.getSortOrder().map(order -> new FirstRows(
                table.getLimit().orElseThrow(),
                order.stream().map(item -> new Order(item.column().getColumnName(), item.sortOrder().isAscending(), item.sortOrder().isNullsFirst())).collect(toImmutableList())));
    }

    // Returns the types of all columns that are read or filtered, except those that only expressions name.
    private static Map<String, String> types(JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        Stream<JdbcColumnHandle> filtered = table.getConstraint().getDomains().orElse(ImmutableMap.of()).keySet().stream().map(JdbcColumnHandle.class::cast);
        return Stream.concat(columns.stream(), filtered)
                .distinct()
                .flatMap(column -> CellType.of(column.getJdbcTypeHandle(), column.getColumnType()).map(type -> Map.entry(column.getColumnName(), type.toString())).stream())
                .collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue, (first, _) -> first));
    }

    /** Whether each value of the column becomes a value of Trino without MySQL's help, or is an error by SQL too. Year 0 does not. */
    public static boolean isReadAlone(JdbcColumnHandle column)
    {
        return MysqlTypes.of(column).isReadAlone(column.getColumnType());
    }
}
