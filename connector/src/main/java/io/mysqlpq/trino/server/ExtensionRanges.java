package io.mysqlpq.trino.server;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.protocol.RangesRequest;
import io.mysqlpq.trino.protocol.TreeReply;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.mysqlpq.trino.protocol.VersionReply;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.RANGES_SQL;
import static io.mysqlpq.trino.server.FallbackCause.DISABLED;
import static io.mysqlpq.trino.server.FallbackCause.NOT_INSTALLED;
import static io.mysqlpq.trino.server.FallbackCause.SCAN_REFUSED;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/** Asks the extension for ranges. */
public final class ExtensionRanges
{
    private final ExtensionProbe probe;
    private final RemoteQueryModifier queryModifier;

    @Inject
    public ExtensionRanges(ServerConfig config, RemoteQueryModifier queryModifier, Ticker ticker)
    {
        this.probe = new ExtensionProbe(config.getExtensionProbeTtl(), ticker);
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /** Shakes hands anew when next used. */
    public void forget()
    {
        probe.forget();
    }

    /** @throws ExtensionUnavailableException if the server has no extension that this connector can use */
    public void checkAvailable(Connection connection)
            throws SQLException, ExtensionUnavailableException
    {
        probe.version(connection);
    }

    /**
     * Whether the extension computes expressions and groups.
     *
     * @throws ExtensionUnavailableException if the server has no extension that this connector can use
     */
    public boolean aggregates(Connection connection)
            throws SQLException, ExtensionUnavailableException
    {
        return probe.version(connection).features().aggregates();
    }

    VersionReply version(Connection connection)
            throws SQLException, ExtensionUnavailableException
    {
        return probe.version(connection);
    }

    /**
     * @throws ExtensionUnavailableException if the table has to be read without ranges
     * @throws SQLException if MySQL failed in a way that says nothing about ranges
     */
    public RangesReply ask(ConnectorSession session, Connection connection, RangesRequest request)
            throws SQLException, ExtensionUnavailableException
    {
        return ask(session, connection, request, RangesReply::decode);
    }

    /** Asks for ranges with all that the extension tells of the tree, for people. */
    public TreeReply askOfTree(ConnectorSession session, Connection connection, RangesRequest request)
            throws SQLException, ExtensionUnavailableException
    {
        return ask(session, connection, request, TreeReply::decode);
    }

    private <T> T ask(ConnectorSession session, Connection connection, RangesRequest request, Decoder<T> decoder)
            throws SQLException, ExtensionUnavailableException
    {
        VersionReply version = probe.version(connection);
        int count = min(request.count(), version.maxRanges());
        // An older extension refuses options that it does not know.
        RangesRequest known = version.features().weighsOffPage() ? request : request.withOffPage(ImmutableList.of());
        try {
            return decoder.decode(known, call(session, connection, known, count));
        }
        catch (UnsupportedReplyException e) {
            throw new ExtensionUnavailableException(FallbackCause.of(e), e);
        }
        catch (SQLException e) {
            Optional<ExtensionError> error = ExtensionError.of(e);
            if (error.isEmpty() && request.rows().isPresent() && ExtensionError.scanRefusal(e).isPresent()) {
                throw new ExtensionUnavailableException(SCAN_REFUSED, e);
            }
            if (error.isEmpty()) {
                throw e;
            }
            FallbackCause cause = FallbackCause.of(error.get());
            if (cause == NOT_INSTALLED || cause == DISABLED) {
                probe.forget();
            }
            throw new ExtensionUnavailableException(cause, e);
        }
    }

    private String call(ConnectorSession session, Connection connection, RangesRequest request, int count)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, RANGES_SQL))) {
            statement.setString(1, request.schema());
            statement.setString(2, request.table());
            statement.setString(3, request.index());
            statement.setInt(4, count);
            statement.setString(5, request.options().orElse(null));
            try (ResultSet reply = statement.executeQuery()) {
                reply.next();
                return reply.getString(1);
            }
        }
    }

    private interface Decoder<T>
    {
        T decode(RangesRequest request, String reply)
                throws UnsupportedReplyException;
    }
}
