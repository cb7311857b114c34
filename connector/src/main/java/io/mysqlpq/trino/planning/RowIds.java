package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.protocol.ScannedRows;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;
import java.util.Optional;

import static io.trino.plugin.jdbc.DefaultJdbcMetadata.MERGE_ROW_ID;

/**
 * Says what a native scan would read of a table by row ids, which InnoDB gives rows where no key can hold them.
 *
 * <p>No SQL can read a range of row ids. The extension therefore has to read all of the table, and nothing may be left to MySQL in the
 * middle of a range.
 */
final class RowIds
{
    private RowIds()
    {}

    /** Returns what to read. Empty unless the extension reads all of the table, as far as the session, types and filters tell. */
    static Optional<ScannedRows> rows(JdbcTableHandle table, PlanningOptions options)
    {
        if (!options.rowIds() || options.rangeSource() == RangeSource.SQL || isChanged(table)) {
            return Optional.empty();
        }
        List<JdbcColumnHandle> columns = ReadColumns.of(table);
        return columns.stream().allMatch(NativeTable::isReadAlone)
                ? NativeTable.rows(table, columns)
                : Optional.empty();
    }

    // Rows without a key are changed by MySQL alone.
    private static boolean isChanged(JdbcTableHandle table)
    {
        return table.getColumns().stream().flatMap(List::stream).anyMatch(column -> column.getColumnName().equals(MERGE_ROW_ID));
    }
}
