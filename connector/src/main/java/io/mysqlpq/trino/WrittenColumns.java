package io.mysqlpq.trino;

import io.mysqlpq.trino.rows.ChangedColumnException;
import io.mysqlpq.trino.rows.ReceivedColumn;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Makes sure that the columns that rows were written to are what the query was planned on.
 *
 * <p>MySQL rounds a value to fewer digits after the point, or makes a number of a text, without an error.
 */
final class WrittenColumns
{
    private final Function<String, String> quoted;
    private final RemoteQueryModifier queryModifier;

    WrittenColumns(Function<String, String> quoted, RemoteQueryModifier queryModifier)
    {
        this.quoted = requireNonNull(quoted, "quoted is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /**
     * Looks at the table's columns, in the transaction if there is one: that locks the table against DDL until it ends.
     *
     * @param table as SQL names it
     */
    void check(ConnectorSession session, Connection connection, JdbcOutputTableHandle handle, String table)
            throws SQLException
    {
        // A table that the query creates has the types that it gets.
        if (handle.getJdbcColumnTypes().isEmpty() || handle.getColumnNames().isEmpty()) {
            return;
        }
        String columns = handle.getColumnNames().stream().map(quoted).collect(joining(", "));
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(queryModifier.apply(session, "SELECT %s FROM %s LIMIT 0".formatted(columns, table)))) {
            ReceivedColumn.checkWritten(rows, handle.getColumnNames(), handle.getJdbcColumnTypes().get(), handle.getColumnTypes());
        }
        catch (ChangedColumnException e) {
            throw new TrinoException(
                    MYSQL_PQ_TABLE_CHANGED,
                    "Table %s was altered while rows were written to it: %s. No row was written that is not committed yet. Run the query again".formatted(nameOf(handle), e.getMessage()),
                    e);
        }
    }

    /** As messages name the table. base-jdbc puts the session's database in front of it, which is none. */
    static String nameOf(JdbcOutputTableHandle handle)
    {
        RemoteTableName table = handle.getRemoteTableName();
        return Stream.of(table.getCatalogName(), table.getSchemaName(), Optional.of(table.getTableName()))
                .flatMap(Optional::stream)
                .filter(name -> !name.isEmpty())
                .collect(joining("."));
    }
}
