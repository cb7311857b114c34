package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.protocol.ScannedRows;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ConnectorSession;

import java.util.List;
import java.util.Optional;

import static io.trino.plugin.jdbc.DefaultJdbcMetadata.MERGE_ROW_ID;
import static java.util.Objects.requireNonNull;

/**
 * Says what of a table would be read by the ids that InnoDB gives rows where no key can hold them.
 *
 * <p>No SQL can read a range of them. So the extension has to read all of it, and nothing may be left to MySQL in the midst of a range.
 */
final class RowIds
{
    private final JdbcClient client;

    @Inject
    RowIds(JdbcClient client)
    {
        this.client = requireNonNull(client, "client is null");
    }

    /** Empty unless the extension reads all of it, as far as the session, types and filters tell. */
    Optional<ScannedRows> rows(ConnectorSession session, JdbcTableHandle table, PlanningOptions options)
    {
        if (!options.rowIds() || options.rangeSource() == RangeSource.SQL || isChanged(table)) {
            return Optional.empty();
        }
        List<JdbcColumnHandle> columns = columns(session, table);
        return columns.stream().allMatch(NativeTable::isReadAlone)
                ? NativeTable.rows(table, columns).filter(ScannedRows::isWithinLimits)
                : Optional.empty();
    }

    // Rows without a key are changed by MySQL alone.
    private static boolean isChanged(JdbcTableHandle table)
    {
        return table.getColumns().stream().flatMap(List::stream).anyMatch(column -> column.getColumnName().equals(MERGE_ROW_ID));
    }

    private List<JdbcColumnHandle> columns(ConnectorSession session, JdbcTableHandle table)
    {
        JdbcNamedRelationHandle relation = table.getRequiredNamedRelation();
        return ReadColumns.of(table).orElseGet(() -> client.getColumns(session, relation.getSchemaTableName(), relation.getRemoteTableName()));
    }
}
