package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.server.QuotedNames.quoted;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;

/**
 * Knows which of a table's columns MySQL computes, so that nobody may write them, and for which of them every new row must have a value.
 *
 * @param computed names of generated columns, stored and virtual
 * @param required names of columns that are NOT NULL and have no default
 */
record ColumnRules(Set<String> computed, Set<String> required)
{
    ColumnRules
    {
        computed = ImmutableSet.copyOf(computed);
        required = ImmutableSet.copyOf(required);
    }

    /** @param mark adds the statement's comment */
    static ColumnRules read(Connection connection, RemoteTableName table, UnaryOperator<String> mark)
            throws SQLException
    {
        ImmutableSet.Builder<String> computed = ImmutableSet.builder();
        ImmutableSet.Builder<String> required = ImmutableSet.builder();
        try (Statement statement = connection.createStatement();
                ResultSet columns = statement.executeQuery(mark.apply("SHOW COLUMNS FROM " + quoted(table)))) {
            while (columns.next()) {
                String extra = columns.getString("Extra");
                if (extra.contains("STORED GENERATED") || extra.contains("VIRTUAL GENERATED")) {
                    computed.add(columns.getString("Field"));
                }
                else if (columns.getString("Null").equals("NO") && columns.getString("Default") == null && !extra.contains("auto_increment")) {
                    required.add(columns.getString("Field"));
                }
            }
        }
        return new ColumnRules(computed.build(), required.build());
    }

    /** Returns those of the columns that can be written. */
    List<JdbcColumnHandle> writable(List<JdbcColumnHandle> columns)
    {
        return columns.stream().filter(column -> !computed.contains(column.getColumnName())).collect(toImmutableList());
    }

    /** Fails if one of the columns that a statement names is computed by MySQL. */
    void check(RemoteTableName table, List<JdbcColumnHandle> named)
    {
        named.stream().map(JdbcColumnHandle::getColumnName).filter(computed::contains).findFirst().ifPresent(column -> {
            throw refusal(table, column);
        });
    }

    static TrinoException refusal(RemoteTableName table, String column)
    {
        return new TrinoException(NOT_SUPPORTED, "Column %s of table %s cannot be written, because MySQL computes it (GENERATED ALWAYS). Name only the other columns".formatted(column, table));
    }
}
