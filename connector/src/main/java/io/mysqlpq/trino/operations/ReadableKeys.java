package io.mysqlpq.trino.operations;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyEncoding;
import io.mysqlpq.trino.key.KeyValue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/**
 * Writes keys for people: numbers as they are, text, dates and times in quotes, bytes in hex, with a comma between columns. In parentheses
 * such a key is a row of SQL.
 *
 * <p>The extension tells ENUM and SET as numbers, and TIMESTAMP in UTC, and this class leaves them so.
 */
final class ReadableKeys
{
    private final Connection connection;
    private final UnaryOperator<String> queryComment;

    ReadableKeys(Connection connection, UnaryOperator<String> queryComment)
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.queryComment = requireNonNull(queryComment, "queryComment is null");
    }

    /** Returns a text for each key, in their order. */
    List<String> of(IndexKey key, List<KeyBound> bounds)
            throws SQLException
    {
        if (bounds.isEmpty()) {
            return ImmutableList.of();
        }
        List<List<String>> columns = new ArrayList<>();
        for (int column = 0; column < key.columns().size(); column++) {
            int position = column;
            columns.add(of(key.columns().get(column), bounds.stream().map(bound -> bound.values().get(position)).toList()));
        }
        ImmutableList.Builder<String> keys = ImmutableList.builder();
        for (int i = 0; i < bounds.size(); i++) {
            StringJoiner values = new StringJoiner(", ");
            for (List<String> column : columns) {
                values.add(column.get(i));
            }
            keys.add(values.toString());
        }
        return keys.build();
    }

    private List<String> of(KeyColumn column, List<KeyValue> values)
            throws SQLException
    {
        if (column.encoding() == KeyEncoding.TEXT) {
            return decoded(column.charset().orElseThrow(), values);
        }
        return values.stream().map(value -> value.toProtocol().map(text -> literal(column.encoding(), text)).orElse("NULL")).toList();
    }

    private static String literal(KeyEncoding encoding, String text)
    {
        return switch (encoding) {
            case INTEGER, DECIMAL, DOUBLE -> text;
            case DATE, TIME, DATETIME, TEXT -> "'%s'".formatted(text.replace("'", "''"));
            case BINARY -> "X'%s'".formatted(text);
        };
    }

    private List<String> decoded(String charset, List<KeyValue> values)
            throws SQLException
    {
        ArrayNode encoded = JsonNodeFactory.instance.arrayNode();
        values.forEach(value -> encoded.add(value.toProtocol().orElse("")));
        List<String> texts = new ArrayList<>();
        // Only MySQL knows all of its character sets. Their names are safe in SQL: see KeyColumn. Bytes that are no text of their character set become NULL.
        String sql = """
                SELECT CONVERT(CONVERT(UNHEX(hex) USING %s) USING utf8mb4)
                FROM JSON_TABLE(?, '$[*]' COLUMNS (position FOR ORDINALITY, hex TEXT PATH '$')) encoded
                ORDER BY position""".formatted(charset);
        try (PreparedStatement statement = connection.prepareStatement(queryComment.apply(sql))) {
            statement.setString(1, encoded.toString());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    texts.add(quoted(values.get(texts.size()).toProtocol(), rows.getString(1)));
                }
            }
        }
        return texts;
    }

    private static String quoted(Optional<String> hex, String text)
    {
        if (hex.isEmpty()) {
            return "NULL";
        }
        return text == null ? literal(KeyEncoding.BINARY, hex.get()) : literal(KeyEncoding.TEXT, text);
    }
}
