package io.mysqlpq.trino.routing;

import com.google.common.collect.Maps;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;

/** Compares what a statement knows of its tables from a replica with the primary, which it will read and change. */
final class SameColumns
{
    private SameColumns()
    {}

    static void check(ConnectorSession session, List<Route.Told> tables, Route.Leg replica, Route.Leg primary)
    {
        for (Route.Told table : tables) {
            // What the replica does not have, the statement knows from the primary.
            Optional<Map<String, Column>> known = columns(session, replica.metadata(), table);
            if (known.isPresent() && !known.equals(columns(session, primary.metadata(), table))) {
                throw new TrinoException(
                        MYSQL_PQ_TABLE_CHANGED,
                        "Table %s has other columns on replica %s than on the primary. Run the statement again when the replica has applied the change, or set read_server to '%s'".formatted(table.arguments().get(1), replica.part().address(), primary.part().address()));
            }
        }
    }

    private static Optional<Map<String, Column>> columns(ConnectorSession session, ConnectorMetadata metadata, Route.Told call)
    {
        return Optional.ofNullable((ConnectorTableHandle) RoutedMetadata.call(metadata, call.method(), call.arguments().toArray()))
                .map(table -> Maps.transformValues(metadata.getColumnHandles(session, table), Column::of));
    }

    // Handles of columns are equal if their names are.
    private record Column(@Nullable JdbcTypeHandle mysqlType, @Nullable Type type)
    {
        static Column of(ColumnHandle handle)
        {
            return handle instanceof JdbcColumnHandle column ? new Column(column.getJdbcTypeHandle(), column.getColumnType()) : new Column(null, null);
        }
    }
}
