package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.error.WayOut;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.planning.IndexChoice.Whole;
import io.mysqlpq.trino.planning.RangePlan.OneSplit;
import io.mysqlpq.trino.server.ExtensionRanges;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.RememberedKeys;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.server.TableKeyReader;
import io.mysqlpq.trino.server.TableKeys;
import io.mysqlpq.trino.snapshot.ScanSnapshot;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_EXTENSION_UNAVAILABLE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_PLANNING_FAILED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_LOCKED;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_RANGES_FROM_EXTENSION;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_SHARED_SNAPSHOT;
import static io.mysqlpq.trino.planning.RangeSource.SQL;
import static java.util.Objects.requireNonNull;

/** Plans key ranges from the extension's subtrees or by SQL, or one split where ranges are impossible or not worth it. */
public final class RangePlanner
{
    private static final Logger log = Logger.get(RangePlanner.class);
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    private final ConnectionPools connections;
    private final TableKeyReader tableKeys;
    private final RememberedKeys rememberedKeys;
    private final ExtensionRanges extension;
    private final ScanExplainer explainer;
    private final IndexChooser indexes;
    private final CutPlanner cuts;
    private final FallbackReporter fallbacks;

    @Inject
    RangePlanner(ConnectionPools connections, TableKeyReader tableKeys, RememberedKeys rememberedKeys, ExtensionRanges extension, ScanExplainer explainer, IndexChooser indexes, CutPlanner cuts, FallbackReporter fallbacks)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.tableKeys = requireNonNull(tableKeys, "tableKeys is null");
        this.rememberedKeys = requireNonNull(rememberedKeys, "rememberedKeys is null");
        this.extension = requireNonNull(extension, "extension is null");
        this.explainer = requireNonNull(explainer, "explainer is null");
        this.indexes = requireNonNull(indexes, "indexes is null");
        this.cuts = requireNonNull(cuts, "cuts is null");
        this.fallbacks = requireNonNull(fallbacks, "fallbacks is null");
    }

    /** Whether a scan is of one row at most, by a unique key that its table had a moment ago. Asks MySQL nothing. */
    public boolean isPointLookup(JdbcTableHandle table)
    {
        return table.isNamedRelation()
                && rememberedKeys.unique(table.getRequiredNamedRelation().getRemoteTableName()).stream().anyMatch(index -> ScannedIndex.isPointLookup(table, index));
    }

    /** Finds out what a table's access path depends on, as far as the session's wishes let it have ranges at all. */
    public TableFacts facts(ConnectorSession session, RemoteTableName table)
    {
        try (PooledConnection connection = connections.openForPlanning(session)) {
            TableKey key = tableKeys.read(session, connection.connection(), table);
            rememberedKeys.put(table, key);
            return new TableFacts(key, fallbackCause(connection));
        }
        catch (SQLException e) {
            throw failure(table, e);
        }
    }

    private Optional<FallbackCause> fallbackCause(PooledConnection connection)
            throws SQLException
    {
        try {
            extension.checkAvailable(connection.connection());
            return Optional.empty();
        }
        catch (ExtensionUnavailableException e) {
            return Optional.of(e.fallbackCause());
        }
    }

    /** Chooses the index that a scan would be cut by, as {@link #plan} does. */
    public IndexChoice choose(ConnectorSession session, JdbcTableHandle table, PlanningOptions options, TableKey key)
    {
        try (PooledConnection connection = connections.openForPlanning(session)) {
            IndexChoice choice = indexes.choose(session, connection.connection(), table, options, key);
            return choice instanceof Cut cut && cut.index().isOfRowIds() && !isReadByRowIds(session, connection.connection(), table, options, key, cut)
                    ? indexes.choose(session, connection.connection(), table, options.withoutRowIds(), key)
                    : choice;
        }
        catch (SQLException e) {
            throw failure(table.getRequiredNamedRelation().getRemoteTableName(), e);
        }
    }

    // What else is in the way than types, only the extension knows. It would have to be asked for each partition.
    private boolean isReadByRowIds(ConnectorSession session, Connection connection, JdbcTableHandle table, PlanningOptions options, TableKey key, Cut cut)
            throws SQLException
    {
        try {
            return key.shape() == TableKey.Shape.PARTITIONED_TABLE
                    || cuts.planByRowIds(session, connection, table, table, key.shape(), cut.partitions(), options).isPresent();
        }
        catch (ExtensionUnavailableException e) {
            log.debug(e, "Not asked how to read table %s", table);
            return true;
        }
    }

    /** Asks MySQL how it would run a query of one table. Empty if it does not say, which makes no query fail. */
    public Optional<ExplainedScan> explain(ConnectorSession session, RemoteTableName table, PreparedQuery query)
    {
        try (PooledConnection connection = connections.openForPlanning(session)) {
            return Optional.of(explainer.explain(session, connection.connection(), query));
        }
        catch (SQLException e) {
            log.debug(e, "No EXPLAIN of a query of table %s", table);
            return Optional.empty();
        }
    }

    /**
     * @param table its constraint including all dynamic filters known so far, its columns those that will be read
     * @param scanned the same without the dynamic filters, as workers know it
     * @param snapshot what the scan will see
     */
    public RangePlan plan(ConnectorSession session, JdbcTableHandle table, JdbcTableHandle scanned, PlanningOptions options, ScanSnapshot snapshot)
    {
        Optional<OneSplitReason> whole = AccessPath.byHandle(table, options);
        if (whole.isPresent()) {
            return OneSplit.because(whole.get());
        }
        RemoteTableName name = table.getRequiredNamedRelation().getRemoteTableName();
        if (snapshot instanceof ScanSnapshot.PerScan(Optional<ExtensionUnavailableException> cause) && cause.isPresent()) {
            return fallback(session, name, options, cause.get());
        }
        try (PooledConnection connection = connections.openForPlanning(session)) {
            return plan(session, connection.connection(), table, scanned, options, snapshot);
        }
        catch (ExtensionUnavailableException e) {
            return fallback(session, name, options, e);
        }
        catch (SQLException e) {
            throw failure(name, e);
        }
    }

    private RangePlan plan(ConnectorSession session, Connection connection, JdbcTableHandle table, JdbcTableHandle scanned, PlanningOptions options, ScanSnapshot snapshot)
            throws SQLException, ExtensionUnavailableException
    {
        TableKey key = key(session, connection, table.getRequiredNamedRelation().getRemoteTableName(), snapshot);
        Optional<OneSplitReason> whole = AccessPath.byShape(key.shape());
        if (whole.isPresent()) {
            return OneSplit.because(whole.get());
        }
        return plan(session, connection, table, scanned, key, snapshot instanceof ScanSnapshot.Exact ? options : options.withoutNativeScans());
    }

    private RangePlan plan(ConnectorSession session, Connection connection, JdbcTableHandle table, JdbcTableHandle scanned, TableKey key, PlanningOptions options)
            throws SQLException, ExtensionUnavailableException
    {
        return switch (indexes.choose(session, connection, table, options, key)) {
            case Whole(OneSplitReason reason, _) -> OneSplit.because(reason);
            case Cut cut when cut.index().isOfRowIds() -> {
                Optional<RangePlan> byRowIds = cuts.planByRowIds(session, connection, table, scanned, key.shape(), cut.partitions(), options);
                yield byRowIds.isPresent() ? byRowIds.get() : plan(session, connection, table, scanned, key, options.withoutRowIds());
            }
            case Cut cut -> cuts.plan(session, connection, table, key, cut, options);
        };
    }

    private TableKey key(ConnectorSession session, Connection connection, RemoteTableName table, ScanSnapshot snapshot)
            throws SQLException
    {
        return snapshot instanceof ScanSnapshot.Exact(_, _, _, TableKeys keys)
                ? keys.get(table, tables -> tableKeys.read(session, connection, tables))
                : tableKeys.read(session, connection, table);
    }

    private RangePlan fallback(ConnectorSession session, RemoteTableName table, PlanningOptions options, ExtensionUnavailableException exception)
    {
        FallbackCause cause = exception.fallbackCause();
        if (options.rangeSource() == RangeSource.EXTENSION && cause != FallbackCause.NO_INDEX) {
            throw new TrinoException(
                    MYSQL_PQ_EXTENSION_UNAVAILABLE,
                    "The extension gives no ranges of table %s, and range_source is EXTENSION: %s. Way out: %s, or set range_source to AUTO"
                            .formatted(table, exception.getMessage(), cause.wayOut()),
                    exception);
        }
        fallbacks.report(session, table, exception, "as one split");
        return OneSplit.fallback(options.rangeSource() == SQL ? NO_SHARED_SNAPSHOT : NO_RANGES_FROM_EXTENSION, cause);
    }

    private static TrinoException failure(RemoteTableName table, SQLException cause)
    {
        if (cause.getErrorCode() == LOCK_WAIT_TIMEOUT) {
            return new TrinoException(
                    MYSQL_PQ_TABLE_LOCKED,
                    "Table %s is locked by another statement, or one such as ALTER TABLE waits for it. Run the query again when that has ended, or raise table-lock-timeout".formatted(table),
                    cause);
        }
        return new TrinoException(MYSQL_PQ_PLANNING_FAILED, "Failed to plan ranges of table %s: %s".formatted(table, WayOut.explain(cause, "planning-timeout")), cause);
    }
}
