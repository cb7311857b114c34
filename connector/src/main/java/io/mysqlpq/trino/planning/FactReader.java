package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.server.ExtensionRanges;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.RememberedKeys;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.server.TableKeyReader;
import io.mysqlpq.trino.server.TableSize;
import io.mysqlpq.trino.server.TableSizeReader;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ConnectorSession;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Asks MySQL and the extension for the facts that decide how a table is read. Each call is a question to the server. */
final class FactReader
{
    private static final Logger log = Logger.get(FactReader.class);

    private final PlanningSessions sessions;
    private final TableKeyReader keys;
    private final RememberedKeys rememberedKeys;
    private final ExtensionRanges extension;
    private final ScanExplainer explainer;
    private final TableSizeReader sizes;
    private final CutPlanner cuts;

    @Inject
    FactReader(PlanningSessions sessions, TableKeyReader keys, RememberedKeys rememberedKeys, ExtensionRanges extension, ScanExplainer explainer, TableSizeReader sizes, CutPlanner cuts)
    {
        this.sessions = requireNonNull(sessions, "sessions is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.rememberedKeys = requireNonNull(rememberedKeys, "rememberedKeys is null");
        this.extension = requireNonNull(extension, "extension is null");
        this.explainer = requireNonNull(explainer, "explainer is null");
        this.sizes = requireNonNull(sizes, "sizes is null");
        this.cuts = requireNonNull(cuts, "cuts is null");
    }

    TableFacts facts(ConnectorSession session, RemoteTableName table)
    {
        return sessions.ask(session, table, Optional.empty(), connection -> {
            TableKey key = keys.read(session, connection, table);
            rememberedKeys.put(table, key);
            try {
                return new TableFacts(key, Optional.empty(), extension.aggregates(connection));
            }
            catch (ExtensionUnavailableException e) {
                return new TableFacts(key, Optional.of(e), false);
            }
        });
    }

    /**
     * How MySQL would run a statement that reads one table.
     *
     * @param snapshot the one that holds the table, if one does
     */
    ExplainedScan explain(ConnectorSession session, RemoteTableName table, Optional<SnapshotToken> snapshot, PreparedQuery query)
    {
        return sessions.ask(session, table, snapshot, connection -> explainer.explain(session, connection, query));
    }

    /** Returns the size of a table. Empty if there is no such table. */
    Optional<TableSize> size(ConnectorSession session, RemoteTableName table)
    {
        return sessions.ask(session, table, Optional.empty(), connection -> sizes.read(session, connection, table.getCatalogName().orElseThrow(), table.getTableName()));
    }

    /** Whether the rows that a secondary index leads to stand anywhere in the table. Partitions would have to be asked about one by one, so nothing is known of them. */
    boolean areRowsAnywhere(ConnectorSession session, RemoteTableName table, Optional<SnapshotToken> snapshot, TableKey key, TableIndex index)
    {
        if (key.shape() == TableKey.Shape.PARTITIONED_TABLE) {
            return false;
        }
        String keyColumn = key.clustered().orElseThrow().columns().getFirst().name();
        return sessions.ask(session, table, snapshot, connection -> {
            try {
                return RowOrder.isRandom(extension.ask(session, connection, RowOrder.sample(table.getCatalogName().orElseThrow(), table.getTableName(), index.name())), keyColumn);
            }
            catch (ExtensionUnavailableException e) {
                log.debug(e, "Not asked how the rows of table %s stand", table);
                return false;
            }
        });
    }

    /**
     * Whether the extension reads all of a table by its row ids. Types do not tell it all, so the extension is asked. A partitioned table
     * would have to be asked about partition by partition.
     */
    boolean isReadByRowIds(ConnectorSession session, JdbcTableHandle table, Optional<SnapshotToken> snapshot, TableKey key, Cut cut, PlanningOptions options)
    {
        if (key.shape() == TableKey.Shape.PARTITIONED_TABLE) {
            return true;
        }
        return sessions.ask(session, table.getRequiredNamedRelation().getRemoteTableName(), snapshot, connection -> {
            try {
                return cuts.planByRowIds(session, connection, table, table, key.shape(), cut.partitions(), options).isPresent();
            }
            catch (ExtensionUnavailableException e) {
                log.debug(e, "Not asked how to read table %s", table);
                return true;
            }
        });
    }
}
