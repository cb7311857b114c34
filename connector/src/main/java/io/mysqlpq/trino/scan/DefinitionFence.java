package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.protocol.DefinitionReply;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.mysqlpq.trino.split.RangeRead;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_EXTENSION_UNAVAILABLE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.DEFINITION_SQL;

/**
 * Makes sure that a range is read from the table that it was planned on.
 *
 * <p>A SELECT inside a transaction takes the table's metadata lock until the transaction ends, so from then on no
 * DDL can replace the rows. Only then is the definition compared: the other way round, DDL could slip in between.
 */
final class DefinitionFence
{
    private static final int NO_SUCH_TABLE = 1146;
    private static final int TABLE_DEFINITION_CHANGED = 1412;

    private final RangeRead read;
    private final RemoteTableName table;
    private final String quotedTable;
    private final UnaryOperator<String> queryComment;

    DefinitionFence(RangeRead read, RemoteTableName table, String quotedTable, UnaryOperator<String> queryComment)
    {
        this.read = read;
        this.table = table;
        this.quotedTable = quotedTable;
        this.queryComment = queryComment;
    }

    /** Opens a transaction that ends with the range's last row. */
    void enter(Connection connection)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(queryComment.apply("START TRANSACTION READ ONLY"));
            // No row is read, yet the table is opened and locked.
            statement.execute(queryComment.apply("SELECT 1 FROM " + quotedTable + " LIMIT 0"));
        }
        catch (SQLException e) {
            if (isTableChange(e)) {
                throw changed(e);
            }
            throw e;
        }
        if (!definition(connection).equals(read.definition())) {
            throw changed(null);
        }
    }

    /** Whether MySQL itself says that the table is not the one that was planned on. */
    static boolean isTableChange(SQLException e)
    {
        return e.getErrorCode() == NO_SUCH_TABLE || e.getErrorCode() == TABLE_DEFINITION_CHANGED;
    }

    TrinoException changed(SQLException cause)
    {
        return new TrinoException(
                MYSQL_PQ_TABLE_CHANGED,
                "Table %s or its index %s was altered, truncated or replaced after the query had planned its ranges. Run the query again".formatted(table, read.key().index()),
                cause);
    }

    private String definition(Connection connection)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryComment.apply(DEFINITION_SQL))) {
            statement.setString(1, table.getCatalogName().orElseThrow());
            statement.setString(2, table.getTableName());
            statement.setString(3, read.key().index());
            try (ResultSet reply = statement.executeQuery()) {
                reply.next();
                return DefinitionReply.decode(reply.getString(1)).definition();
            }
        }
        catch (UnsupportedReplyException e) {
            throw gone(e);
        }
        catch (SQLException e) {
            if (ExtensionError.of(e).isPresent()) {
                throw gone(e);
            }
            throw e;
        }
    }

    private TrinoException gone(Exception cause)
    {
        return new TrinoException(
                MYSQL_PQ_EXTENSION_UNAVAILABLE,
                "The extension no longer answers for table %s, whose ranges it planned for this query: %s. Run the query again".formatted(table, cause.getMessage()),
                cause);
    }
}
