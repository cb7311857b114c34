package io.mysqlpq.trino.dictionary;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.mysqlpq.trino.key.KeyColumn;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ENGLISH;

/**
 * Reads an index's columns and their types from MySQL's dictionary, in one statement, which touches no data.
 *
 * <p>The definition that comes with them changes with the index, with the second in which the table was made, and with the server, so that
 * the ranges of a query are not read from several servers. It is weaker than the extension's: two equal tables that are swapped within that
 * second have the same definition.
 */
public final class DictionaryKeyReader
{
    private static final String SQL = """
            SELECT s.column_name, c.data_type, c.column_type, c.is_nullable, s.collation, s.sub_part, c.character_set_name, c.collation_name, t.create_time, @@GLOBAL.server_uuid
            FROM information_schema.tables t
            JOIN information_schema.statistics s ON s.table_schema = t.table_schema AND s.table_name = t.table_name
            LEFT JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = s.column_name
            WHERE t.table_schema = ? AND t.table_name = ? AND s.index_name = ?
            ORDER BY s.seq_in_index""";
    private static final int COLUMNS = 10;

    private DictionaryKeyReader()
    {}

    /** Reads the columns of an index. Empty if there is no such index, or the user may not see it. */
    public static Optional<DictionaryKey> read(Connection connection, UnaryOperator<String> queryComment, String schema, String table, String index)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryComment.apply(SQL))) {
            statement.setString(1, schema);
            statement.setString(2, table);
            statement.setString(3, index);
            try (ResultSet rows = statement.executeQuery()) {
                return decode(index, rows);
            }
        }
    }

    private static Optional<DictionaryKey> decode(String index, ResultSet rows)
            throws SQLException
    {
        ImmutableList.Builder<KeyColumn> columns = ImmutableList.builder();
        Hasher hasher = Hashing.sha256().newHasher();
        boolean known = true;
        int count = 0;
        while (rows.next()) {
            count++;
            for (int i = 1; i <= COLUMNS; i++) {
                // With a mark behind each, so that no two rows read alike.
                hasher.putString(String.valueOf(rows.getString(i)), UTF_8).putChar('\0');
            }
            Optional<KeyColumn> column = known ? column(rows).keyColumn() : Optional.empty();
            known = column.isPresent();
            column.ifPresent(columns::add);
        }
        return count == 0 ? Optional.empty() : Optional.of(new DictionaryKey(index, columns.build(), DictionaryKey.definition(hasher.hash().toString())));
    }

    private static DictionaryColumn column(ResultSet row)
            throws SQLException
    {
        int prefixLength = row.getInt(6);
        return new DictionaryColumn(
                row.getString(1),
                // A part that is an expression has no column.
                String.valueOf(row.getString(2)).toLowerCase(ENGLISH),
                String.valueOf(row.getString(3)),
                "YES".equals(row.getString(4)),
                "D".equals(row.getString(5)),
                prefixLength > 0 ? OptionalInt.of(prefixLength) : OptionalInt.empty(),
                Optional.ofNullable(row.getString(7)),
                Optional.ofNullable(row.getString(8)));
    }
}
