package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.planning.RangePlan.OneSplit;
import io.mysqlpq.trino.planning.sql.SqlPlan;
import io.mysqlpq.trino.planning.sql.SqlRanges;
import io.mysqlpq.trino.planning.sql.SqlRangesRequest;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.protocol.RangesRequest;
import io.mysqlpq.trino.server.ExtensionRanges;
import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.PartitionReader;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.server.TableKeyReader;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static com.google.common.math.LongMath.divide;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_EXTENSION_UNAVAILABLE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_PLANNING_FAILED;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static io.mysqlpq.trino.planning.OneSplitReason.KEY_NOT_READABLE;
import static io.mysqlpq.trino.planning.OneSplitReason.KEY_WITHOUT_RANGES;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_RANGES_FROM_EXTENSION;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_SHARED_SNAPSHOT;
import static io.mysqlpq.trino.planning.OneSplitReason.SMALL_TABLE;
import static io.mysqlpq.trino.planning.RangeSource.SQL;
import static io.mysqlpq.trino.server.TableKey.Shape.PARTITIONED_TABLE;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.math.RoundingMode.CEILING;
import static java.util.Objects.requireNonNull;

/** Plans key ranges from the extension's subtrees or by SQL, or one split where ranges are impossible or not worth it. */
public final class RangePlanner
{
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int COLUMN_ACCESS_DENIED = 1143;

    private final ConnectionPools connections;
    private final TableKeyReader tableKeys;
    private final PartitionReader partitions;
    private final ExtensionRanges extension;
    private final SqlRanges sqlRanges;
    private final FallbackReporter fallbacks;

    @Inject
    public RangePlanner(ConnectionPools connections, TableKeyReader tableKeys, PartitionReader partitions, ExtensionRanges extension, SqlRanges sqlRanges, FallbackReporter fallbacks)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.tableKeys = requireNonNull(tableKeys, "tableKeys is null");
        this.partitions = requireNonNull(partitions, "partitions is null");
        this.extension = requireNonNull(extension, "extension is null");
        this.sqlRanges = requireNonNull(sqlRanges, "sqlRanges is null");
        this.fallbacks = requireNonNull(fallbacks, "fallbacks is null");
    }

    /** Finds out what a table's access path depends on, as far as the session's wishes let it have ranges at all. */
    public TableFacts facts(ConnectorSession session, RemoteTableName table)
    {
        try (PooledConnection connection = connections.openForPlanning(session)) {
            TableKey key = tableKeys.read(session, connection.connection(), table.getCatalogName().orElseThrow(), table.getTableName());
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

    /**
     * @param table its constraint including all dynamic filters known so far
     * @param noSnapshot why the ranges would not share a snapshot, if they would not
     */
    public RangePlan plan(ConnectorSession session, JdbcTableHandle table, PlanningOptions options, Optional<ExtensionUnavailableException> noSnapshot)
    {
        Optional<OneSplitReason> whole = AccessPath.byHandle(table, options);
        if (whole.isPresent()) {
            return OneSplit.because(whole.get());
        }
        RemoteTableName name = table.getRequiredNamedRelation().getRemoteTableName();
        if (noSnapshot.isPresent()) {
            return fallback(session, name, options, noSnapshot.get());
        }
        try (PooledConnection connection = connections.openForPlanning(session)) {
            return plan(session, connection, table, name, options);
        }
        catch (ExtensionUnavailableException e) {
            return fallback(session, name, options, e);
        }
        catch (SQLException e) {
            throw failure(name, e);
        }
    }

    private RangePlan plan(ConnectorSession session, PooledConnection connection, JdbcTableHandle table, RemoteTableName name, PlanningOptions options)
            throws SQLException, ExtensionUnavailableException
    {
        String schema = name.getCatalogName().orElseThrow();
        TableKey key = tableKeys.read(session, connection.connection(), schema, name.getTableName());
        KeyFilter filter = new KeyFilter(key.primaryKey(), table.getConstraint());
        Optional<OneSplitReason> whole = AccessPath.byKey(key, filter);
        if (whole.isPresent()) {
            return OneSplit.because(whole.get());
        }
        if (options.rangeSource() == SQL) {
            return planBySql(session, connection, name, options, filter);
        }
        try {
            return planByExtension(session, connection, key, name, options, filter);
        }
        catch (ExtensionUnavailableException e) {
            if (!AccessPath.isSqlInstead(options, e.fallbackCause())) {
                throw e;
            }
            fallbacks.report(session, name, e, "by ranges from SQL");
            return planBySql(session, connection, name, options, filter);
        }
    }

    private RangePlan planBySql(ConnectorSession session, PooledConnection connection, RemoteTableName name, PlanningOptions options, KeyFilter filter)
            throws SQLException
    {
        SqlRangesRequest request = new SqlRangesRequest(name.getCatalogName().orElseThrow(), name.getTableName(), filter.range(), options.targetRowsPerSplit(), options.maxRanges());
        try {
            Optional<SqlPlan> plan = sqlRanges.plan(session, connection.connection(), request);
            if (plan.isEmpty()) {
                return OneSplit.because(KEY_WITHOUT_RANGES);
            }
            return plan.get().ranges().size() == 1 ? OneSplit.because(SMALL_TABLE) : RangePlan.Ranges.of(plan.get());
        }
        catch (SQLException e) {
            if (e.getErrorCode() != TABLE_ACCESS_DENIED && e.getErrorCode() != COLUMN_ACCESS_DENIED) {
                throw e;
            }
            return OneSplit.because(KEY_NOT_READABLE);
        }
    }

    private RangePlan planByExtension(ConnectorSession session, PooledConnection connection, TableKey key, RemoteTableName name, PlanningOptions options, KeyFilter filter)
            throws SQLException, ExtensionUnavailableException
    {
        String schema = name.getCatalogName().orElseThrow();
        if (key.shape() == PARTITIONED_TABLE) {
            return planPartitions(session, connection, name, options, filter);
        }
        RangesRequest most = new RangesRequest(schema, name.getTableName(), PRIMARY, options.maxRanges(), filter.range()).withLeafKeys(options.leafKeys());
        RangesReply reply = extension.ask(session, connection.connection(), most);
        int wanted = rangeCount(reply, options);
        if (wanted > 1 && wanted < reply.boundaries().size() + 1) {
            reply = extension.ask(session, connection.connection(), new RangesRequest(schema, name.getTableName(), PRIMARY, wanted, filter.range()).withLeafKeys(options.leafKeys()));
        }
        if (wanted == 1 || reply.boundaries().isEmpty()) {
            return OneSplit.because(SMALL_TABLE);
        }
        RangePlan.Ranges ranges = RangePlan.Ranges.of(reply);
        return ranges.ranges().size() == 1 ? OneSplit.because(KEY_WITHOUT_RANGES) : ranges;
    }

    private RangePlan planPartitions(ConnectorSession session, PooledConnection connection, RemoteTableName name, PlanningOptions options, KeyFilter filter)
            throws SQLException, ExtensionUnavailableException
    {
        String schema = name.getCatalogName().orElseThrow();
        List<String> names = partitions.read(session, connection.connection(), schema, name.getTableName());
        if (names.isEmpty()) {
            // It was partitioned a moment ago.
            return OneSplit.because(SMALL_TABLE);
        }
        RangesRequest each = new RangesRequest(schema, name.getTableName(), PRIMARY, 1, filter.range()).withLeafKeys(options.leafKeys());
        RangePlan.Ranges ranges = new PartitionedRanges(request -> extension.ask(session, connection.connection(), request), each, options).plan(names);
        return ranges.ranges().size() == 1 ? OneSplit.because(SMALL_TABLE) : ranges;
    }

    // Without estimates the ranges that there are have to do.
    private static int rangeCount(RangesReply reply, PlanningOptions options)
    {
        if (reply.rows().isEmpty()) {
            return reply.boundaries().size() + 1;
        }
        long rows = reply.rows().get().stream().mapToLong(Long::longValue).sum();
        return (int) min(max(divide(rows, options.targetRowsPerSplit(), CEILING), 1), options.maxRanges());
    }

    private RangePlan fallback(ConnectorSession session, RemoteTableName table, PlanningOptions options, ExtensionUnavailableException exception)
    {
        FallbackCause cause = exception.fallbackCause();
        if (options.rangeSource() == RangeSource.EXTENSION && cause != FallbackCause.NO_INDEX) {
            throw new TrinoException(
                    MYSQL_PQ_EXTENSION_UNAVAILABLE,
                    "The extension gives no ranges of index %s of table %s, and range_source is EXTENSION: %s. Way out: %s, or set range_source to AUTO"
                            .formatted(PRIMARY, table, exception.getMessage(), cause.wayOut()),
                    exception);
        }
        fallbacks.report(session, table, exception, "as one split");
        return OneSplit.fallback(options.rangeSource() == SQL ? NO_SHARED_SNAPSHOT : NO_RANGES_FROM_EXTENSION, cause);
    }

    private static TrinoException failure(RemoteTableName table, SQLException cause)
    {
        return new TrinoException(MYSQL_PQ_PLANNING_FAILED, "Failed to plan ranges of index %s of table %s: %s".formatted(PRIMARY, table, cause.getMessage()), cause);
    }
}
