package io.mysqlpq.trino.server;

import com.google.inject.Inject;
import io.mysqlpq.trino.protocol.CoversReply;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.ExtensionFeatures;
import io.mysqlpq.trino.protocol.PositionReply;
import io.mysqlpq.trino.protocol.SnapshotReply;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_UNAVAILABLE;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_AWAITED_POSITION_SQL;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_COVERS_SQL;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_EXPORT_SQL;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_POSITION_SQL;
import static java.util.Objects.requireNonNull;

/** Asks the extension to lend a session's snapshot. */
public final class ExtensionSnapshots
{
    private final ExtensionRanges extension;

    @Inject
    public ExtensionSnapshots(ExtensionRanges extension)
    {
        this.extension = requireNonNull(extension, "extension is null");
    }

    /** @throws ExtensionUnavailableException if the server has no extension that this connector can use */
    public ExtensionFeatures features(Connection connection)
            throws SQLException, ExtensionUnavailableException
    {
        return extension.version(connection).features();
    }

    /**
     * Opens the snapshot of the connection's transaction while no other commits, and tells which transactions it has.
     *
     * @param awaited has the snapshot wait for transactions, if the server may still get exactly these
     * @throws ExtensionUnavailableException if the server has no extension that tells this
     */
    public SnapshotPosition position(Connection connection, UnaryOperator<String> queryComment, Optional<AwaitedPosition> awaited)
            throws SQLException, ExtensionUnavailableException
    {
        ExtensionFeatures features = features(connection);
        if (!features.tellsPosition() || (awaited.isPresent() && !features.awaitsPosition())) {
            throw new TrinoException(MYSQL_PQ_SNAPSHOT_UNAVAILABLE, "The server's extension is too old to tell which transactions a snapshot has. Install the extension of the connector's release");
        }
        try (PreparedStatement statement = connection.prepareStatement(queryComment.apply(awaited.isPresent() ? SNAPSHOT_AWAITED_POSITION_SQL : SNAPSHOT_POSITION_SQL))) {
            if (awaited.isPresent()) {
                statement.setString(1, awaited.get().gtids());
                statement.setInt(2, awaited.get().limit());
            }
            try (ResultSet reply = statement.executeQuery()) {
                reply.next();
                return new SnapshotPosition(PositionReply.decode(reply.getString(1)).gtidExecuted(), reply.getString(2));
            }
        }
        catch (UnsupportedReplyException e) {
            throw new ExtensionUnavailableException(FallbackCause.of(e), e);
        }
    }

    /**
     * Lends the snapshot of the connection's transaction until that ends.
     *
     * @throws ExtensionUnavailableException if the extension lends none
     */
    public SnapshotReply export(Connection connection, UnaryOperator<String> queryComment)
            throws SQLException, ExtensionUnavailableException
    {
        try (Statement statement = connection.createStatement();
                ResultSet reply = statement.executeQuery(queryComment.apply(SNAPSHOT_EXPORT_SQL))) {
            reply.next();
            return SnapshotReply.decode(reply.getString(1));
        }
        catch (UnsupportedReplyException e) {
            throw new ExtensionUnavailableException(FallbackCause.of(e), e);
        }
        catch (SQLException e) {
            throw unavailable(e);
        }
    }

    /**
     * Whether nothing created, altered or replaced the table since the snapshot of the connection's transaction, which
     * has the table locked.
     */
    public boolean covers(Connection connection, UnaryOperator<String> queryComment, String schema, String table)
            throws SQLException, ExtensionUnavailableException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryComment.apply(SNAPSHOT_COVERS_SQL))) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet reply = statement.executeQuery()) {
                reply.next();
                return CoversReply.decode(reply.getString(1)).covers();
            }
        }
        catch (UnsupportedReplyException e) {
            throw new ExtensionUnavailableException(FallbackCause.of(e), e);
        }
        catch (SQLException e) {
            throw unavailable(e);
        }
    }

    private static ExtensionUnavailableException unavailable(SQLException e)
            throws SQLException
    {
        Optional<ExtensionError> error = ExtensionError.of(e);
        if (error.isEmpty()) {
            throw e;
        }
        return new ExtensionUnavailableException(FallbackCause.of(error.get()), e);
    }
}
