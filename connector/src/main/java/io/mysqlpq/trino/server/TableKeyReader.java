package io.mysqlpq.trino.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.mysqlpq.trino.server.TableKey.Shape;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/** Reads kinds and indexes of tables from MySQL's dictionary, in one statement, which touches no data. */
public final class TableKeyReader
{
    // Without a primary key the columns of the unique key in its place have its mark. Looks up each table: a condition on all of them would read the
    // dictionary of every schema.
    private static final String SQL_OF_TABLE = """
            SELECT %d, t.table_type, t.engine, t.create_options, s.index_name, s.non_unique, s.column_name, s.collation, s.nullable, s.sub_part, c.column_key,
                s.index_name = 'PRIMARY', s.seq_in_index
            FROM information_schema.tables t
            LEFT JOIN information_schema.statistics s
            ON s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.index_type = 'BTREE' AND s.is_visible = 'YES'
            LEFT JOIN information_schema.columns c
            ON c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = s.column_name
            WHERE t.table_schema = ? AND t.table_name = ?""";
    private static final String ORDER = " ORDER BY 1, 12 DESC, 5, 13";

    private final RemoteQueryModifier queryModifier;

    @Inject
    public TableKeyReader(RemoteQueryModifier queryModifier)
    {
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    public TableKey read(ConnectorSession session, Connection connection, RemoteTableName table)
            throws SQLException
    {
        return getOnlyElement(read(session, connection, ImmutableList.of(table)).values());
    }

    /** @return a key for each of the tables, of which there is at least one */
    public Map<RemoteTableName, TableKey> read(ConnectorSession session, Connection connection, List<RemoteTableName> tables)
            throws SQLException
    {
        String sql = IntStream.range(0, tables.size()).mapToObj(SQL_OF_TABLE::formatted).collect(joining(" UNION ALL ")) + ORDER;
        try (PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, sql))) {
            for (int i = 0; i < tables.size(); i++) {
                statement.setString(2 * i + 1, tables.get(i).getCatalogName().orElseThrow());
                statement.setString(2 * i + 2, tables.get(i).getTableName());
            }
            try (ResultSet rows = statement.executeQuery()) {
                return decode(tables, rows);
            }
        }
    }

    private static Map<RemoteTableName, TableKey> decode(List<RemoteTableName> names, ResultSet rows)
            throws SQLException
    {
        Shape[] shapes = new Shape[names.size()];
        Arrays.fill(shapes, Shape.UNKNOWN);
        List<Map<String, List<Part>>> indexes = Stream.generate(() -> new LinkedHashMap<String, List<Part>>()).limit(names.size()).collect(toImmutableList());
        while (rows.next()) {
            int table = rows.getInt(1);
            shapes[table] = shape(rows.getString(2), rows.getString(3), rows.getString(4));
            if (rows.getString(5) != null) {
                indexes.get(table).computeIfAbsent(rows.getString(5), _ -> new ArrayList<>()).add(part(rows));
            }
        }
        ImmutableMap.Builder<RemoteTableName, TableKey> keys = ImmutableMap.builder();
        for (int table = 0; table < shapes.length; table++) {
            keys.put(names.get(table), key(shapes[table], indexes.get(table)));
        }
        return keys.buildOrThrow();
    }

    private static TableKey key(Shape shape, Map<String, List<Part>> parts)
    {
        Set<String> clustered = clusteredColumns(parts);
        ImmutableList.Builder<TableIndex> indexes = ImmutableList.builder();
        parts.forEach((name, columns) -> index(name, columns, clustered).ifPresent(indexes::add));
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

    // A part that is an expression has no column.
    private static Part part(ResultSet row)
            throws SQLException
    {
        String name = row.getString(7);
        Optional<TableIndex.Column> column = name == null
                ? Optional.empty()
                : Optional.of(new TableIndex.Column(name, "D".equals(row.getString(8)), "YES".equals(row.getString(9)), row.getString(10) != null));
        return new Part(row.getInt(6) == 0, column, "PRI".equals(row.getString(11)));
    }

    private static Optional<TableIndex> index(String name, List<Part> parts, Set<String> clusteredColumns)
    {
        List<TableIndex.Column> columns = parts.stream().flatMap(part -> part.column().stream()).toList();
        if (columns.size() < parts.size()) {
            return Optional.empty();
        }
        boolean unique = parts.getFirst().unique();
        // Several unique keys may consist of such columns. The key that holds the rows consists of all of them.
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
