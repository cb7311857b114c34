package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.protocol.DefinitionReply;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.mysqlpq.trino.split.SplitRange;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_EXTENSION_UNAVAILABLE;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.DEFINITION_SQL;

/**
 * Makes sure that a range is read from the table that it was planned on, if the range sees a moment of its own.
 *
 * <p>The definition is compared under the table's metadata lock. In the opposite order DDL could slip in between.
 */
final class DefinitionFence
        implements ReadFence
{
    private final SplitRange read;
    private final TableAccess access;

    DefinitionFence(SplitRange read, TableAccess access)
    {
        this.read = read;
        this.access = access;
    }

    @Override
    public void enter(Connection connection)
            throws SQLException
    {
        access.begin(connection);
        if (!definition(connection).equals(read.definition())) {
            throw access.changed(null);
        }
    }

    @Override
    public void prove(Connection connection)
    {}

    @Override
    public Optional<TrinoException> explain(SQLException error)
    {
        return access.explain(error);
    }

    private String definition(Connection connection)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(access.queryComment().apply(DEFINITION_SQL))) {
            statement.setString(1, access.table().getCatalogName().orElseThrow());
            statement.setString(2, access.table().getTableName());
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
            // The index may be gone, for example.
            if (ExtensionError.of(e).isPresent() && access.explain(e).isEmpty()) {
                throw gone(e);
            }
            throw e;
        }
    }

    private TrinoException gone(Exception cause)
    {
        return new TrinoException(
                MYSQL_PQ_EXTENSION_UNAVAILABLE,
                "The extension no longer answers for table %s, whose ranges it planned for this query: %s. Run the query again".formatted(access.table(), cause.getMessage()),
                cause);
    }
}
