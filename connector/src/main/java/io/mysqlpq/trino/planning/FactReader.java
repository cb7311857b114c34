package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.server.ExtensionRanges;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.RememberedKeys;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.server.TableKeyReader;
import io.mysqlpq.trino.server.TableSize;
import io.mysqlpq.trino.server.TableSizeReader;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ConnectorSession;

import java.sql.SQLException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Asks MySQL and the extension what the way of reading a table depends on. Each call is a question to the server. */
final class FactReader
{
    private static final Logger log = Logger.get(FactReader.class);

    private final ConnectionPools connections;
    private final TableKeyReader keys;
    private final RememberedKeys rememberedKeys;
    private final ExtensionRanges extension;
    private final ScanExplainer explainer;
    private final TableSizeReader sizes;
    private final CutPlanner cuts;

    @Inject
    FactReader(ConnectionPools connections, TableKeyReader keys, RememberedKeys rememberedKeys, ExtensionRanges extension, ScanExplainer explainer, TableSizeReader sizes, CutPlanner cuts)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.rememberedKeys = requireNonNull(rememberedKeys, "rememberedKeys is null");
        this.extension = requireNonNull(extension, "extension is null");
        this.explainer = requireNonNull(explainer, "explainer is null");
        this.sizes = requireNonNull(sizes, "sizes is null");
        this.cuts = requireNonNull(cuts, "cuts is null");
    }

    TableFacts facts(ConnectorSession session, RemoteTableName table)
    {
        return ask(session, table, connection -> {
            TableKey key = keys.read(session, connection.connection(), table);
            rememberedKeys.put(table, key);
            return new TableFacts(key, unavailable(connection));
        });
    }

    private Optional<ExtensionUnavailableException> unavailable(PooledConnection connection)
            throws SQLException
    {
        try {
            extension.checkAvailable(connection.connection());
            return Optional.empty();
        }
        catch (ExtensionUnavailableException e) {
            return Optional.of(e);
        }
    }

    /** How MySQL would run a statement that reads one table. */
    ExplainedScan explain(ConnectorSession session, RemoteTableName table, PreparedQuery query)
    {
        return ask(session, table, connection -> explainer.explain(session, connection.connection(), query));
    }

    /** Empty if there is no such table. */
    Optional<TableSize> size(ConnectorSession session, RemoteTableName table)
    {
        return ask(session, table, connection -> sizes.read(session, connection.connection(), table.getCatalogName().orElseThrow(), table.getTableName()));
    }

    /** Whether the extension reads all of a table by its row ids. Only the extension knows, beyond what types tell. It would have to be asked for each partition. */
    boolean isReadByRowIds(ConnectorSession session, JdbcTableHandle table, TableKey key, Cut cut, PlanningOptions options)
    {
        if (key.shape() == TableKey.Shape.PARTITIONED_TABLE) {
            return true;
        }
        return ask(session, table.getRequiredNamedRelation().getRemoteTableName(), connection -> {
            try {
                return cuts.planByRowIds(session, connection.connection(), table, table, key.shape(), cut.partitions(), options).isPresent();
            }
            catch (ExtensionUnavailableException e) {
                log.debug(e, "Not asked how to read table %s", table);
                return true;
            }
        });
    }

    private <T> T ask(ConnectorSession session, RemoteTableName table, Question<T> question)
    {
        try (PooledConnection connection = connections.openForPlanning(session)) {
            return question.ask(connection);
        }
        catch (SQLException e) {
            throw PlanningFailure.of(table, e);
        }
    }

    private interface Question<T>
    {
        T ask(PooledConnection connection)
                throws SQLException;
    }
}
