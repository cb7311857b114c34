package io.mysqlpq.trino.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.mysqlpq.trino.server.TableKey.Shape;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static java.util.Objects.requireNonNull;

/** Reads a table's kind and its indexes from MySQL's dictionary, in one statement, which touches no data. */
public final class TableKeyReader
{
    // Without a primary key the columns of the unique key that MySQL takes instead have its mark.
    private static final String SQL = """
            SELECT t.table_type, t.engine, t.create_options, s.index_name, s.non_unique, s.column_name, s.collation, s.nullable, s.sub_part, c.column_key
            FROM information_schema.tables t
            LEFT JOIN information_schema.statistics s
            ON s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.index_type = 'BTREE' AND s.is_visible = 'YES'
            LEFT JOIN information_schema.columns c
            ON c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = s.column_name
            WHERE t.table_schema = ? AND t.table_name = ?
            ORDER BY s.index_name = 'PRIMARY' DESC, s.index_name, s.seq_in_index""";

    private final RemoteQueryModifier queryModifier;

    @Inject
    public TableKeyReader(RemoteQueryModifier queryModifier)
    {
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    public TableKey read(ConnectorSession session, Connection connection, String schema, String table)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, SQL))) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet rows = statement.executeQuery()) {
                return decode(rows);
            }
        }
    }

    private static TableKey decode(ResultSet rows)
            throws SQLException
    {
        Shape shape = Shape.UNKNOWN;
        Map<String, List<Part>> parts = new LinkedHashMap<>();
        while (rows.next()) {
            shape = shape(rows.getString(1), rows.getString(2), rows.getString(3));
            if (rows.getString(4) != null) {
                parts.computeIfAbsent(rows.getString(4), _ -> new ArrayList<>()).add(part(rows));
            }
        }
        Set<String> key = clusteredColumns(parts);
        ImmutableList.Builder<TableIndex> indexes = ImmutableList.builder();
        parts.forEach((name, columns) -> index(name, columns, key).ifPresent(indexes::add));
        return new TableKey(shape, indexes.build());
    }

    // None if the table has a primary key.
    private static Set<String> clusteredColumns(Map<String, List<Part>> parts)
    {
        return parts.containsKey(PRIMARY) ? ImmutableSet.of()
                : parts.values().stream().flatMap(List::stream)
                        .filter(Part::inClusteredKey)
                        .flatMap(part -> part.column().stream())
                        .map(TableIndex.Column::name)
                        .collect(toImmutableSet());
    }

    // Of a part that is an expression there is no column.
    private static Part part(ResultSet row)
            throws SQLException
    {
        String name = row.getString(6);
        Optional<TableIndex.Column> column = name == null
                ? Optional.empty()
                : Optional.of(new TableIndex.Column(name, "D".equals(row.getString(7)), "YES".equals(row.getString(8)), row.getString(9) != null));
        return new Part(row.getInt(5) == 0, column, "PRI".equals(row.getString(10)));
    }

    private static Optional<TableIndex> index(String name, List<Part> parts, Set<String> clusteredColumns)
    {
        List<TableIndex.Column> columns = parts.stream().flatMap(part -> part.column().stream()).toList();
        if (columns.size() < parts.size()) {
            return Optional.empty();
        }
        boolean unique = parts.getFirst().unique();
        // Several unique keys may consist of such columns; the one that holds the rows consists of all.
        boolean clustered = name.equals(PRIMARY) || (unique && columns.size() == clusteredColumns.size() && columns.stream().allMatch(column -> !column.prefix() && clusteredColumns.contains(column.name())));
        return Optional.of(new TableIndex(name, unique, clustered, columns));
    }

    private static Shape shape(String tableType, String engine, String createOptions)
    {
        if (!"BASE TABLE".equals(tableType)) {
            return Shape.VIEW;
        }
        if (!"InnoDB".equals(engine)) {
            return Shape.OTHER_ENGINE;
        }
        return createOptions != null && createOptions.contains("partitioned") ? Shape.PARTITIONED_TABLE : Shape.INNODB_TABLE;
    }

    private record Part(boolean unique, Optional<TableIndex.Column> column, boolean inClusteredKey)
    {}
}
