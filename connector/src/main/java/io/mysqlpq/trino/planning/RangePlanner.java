package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.planning.RangePlan.OneSplit;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.server.TableKeyReader;
import io.mysqlpq.trino.server.TableKeys;
import io.mysqlpq.trino.snapshot.ScanSnapshot;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_EXTENSION_UNAVAILABLE;
import static io.mysqlpq.trino.planning.OneSplitReason.NOT_A_TABLE;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_RANGES_FROM_EXTENSION;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_SHARED_SNAPSHOT;
import static io.mysqlpq.trino.planning.QueryScans.nameOf;
import static io.mysqlpq.trino.planning.RangeSource.SQL;
import static java.util.Objects.requireNonNull;

/** Plans key ranges from the extension's subtrees or by SQL, or one split where ranges are impossible or not worth it. */
public final class RangePlanner
{
    private final PlanningSessions sessions;
    private final TableKeyReader tableKeys;
    private final CutPlanner cuts;
    private final FallbackReporter fallbacks;

    @Inject
    RangePlanner(PlanningSessions sessions, TableKeyReader tableKeys, CutPlanner cuts, FallbackReporter fallbacks)
    {
        this.sessions = requireNonNull(sessions, "sessions is null");
        this.tableKeys = requireNonNull(tableKeys, "tableKeys is null");
        this.cuts = requireNonNull(cuts, "cuts is null");
        this.fallbacks = requireNonNull(fallbacks, "fallbacks is null");
    }

    /**
     * @param scans what the query knows of its tables
     * @param table its constraint including all dynamic filters known so far, its columns those that will be read
     * @param scanned the same without the dynamic filters, as workers know it
     * @param snapshot what the scan will see
     */
    public RangePlan plan(ConnectorSession session, QueryScans scans, JdbcTableHandle table, JdbcTableHandle scanned, PlanningOptions options, ScanSnapshot snapshot)
    {
        Optional<OneSplitReason> whole = QueryScans.byHandle(table, options);
        if (whole.isPresent()) {
            return OneSplit.because(whole.get());
        }
        if (snapshot instanceof ScanSnapshot.PerScan(Optional<ExtensionUnavailableException> cause)) {
            return cause.isPresent() ? fallback(session, table, options, cause.get()) : OneSplit.because(NOT_A_TABLE);
        }
        if (snapshot instanceof ScanSnapshot.Exact(SnapshotToken token, _, _, TableKeys keys)) {
            scans.lock(nameOf(table), token, key(session, keys, nameOf(table)));
        }
        PlanningOptions possible = snapshot instanceof ScanSnapshot.Exact ? options : options.withoutNativeScans();
        return switch (scans.decide(table, possible)) {
            case AccessPath.Whole(OneSplitReason reason, _, Optional<FallbackCause> cause) -> cause.isPresent()
                    ? fallback(session, table, options, scans.facts(nameOf(table)).unavailable().orElseThrow())
                    : OneSplit.because(reason);
            case AccessPath.Ranges ranges -> cut(session, scans, table, scanned, ranges.cut(), snapshot, possible);
        };
    }

    private TableKey key(ConnectorSession session, TableKeys keys, RemoteTableName table)
    {
        try {
            return keys.get(table, tables -> sessions.ask(session, table, Optional.empty(), connection -> tableKeys.read(session, connection, tables)));
        }
        catch (SQLException e) {
            throw PlanningFailure.of(table, e);
        }
    }

    private RangePlan cut(ConnectorSession session, QueryScans scans, JdbcTableHandle table, JdbcTableHandle scanned, Cut cut, ScanSnapshot snapshot, PlanningOptions options)
    {
        TableKey key = scans.key(nameOf(table));
        Optional<RangePlan> plan;
        try {
            plan = sessions.ask(session, nameOf(table), snapshot.sharedToken(), connection -> cut.index().isOfRowIds()
                    ? cuts.planByRowIds(session, connection, table, scanned, key.shape(), cut.partitions(), options)
                    : Optional.of(cuts.plan(session, connection, table, key, cut, options)));
        }
        catch (ExtensionUnavailableException e) {
            return fallback(session, table, options, e);
        }
        return plan.orElseGet(() -> switch (scans.decide(table, options.withoutRowIds())) {
            case AccessPath.Whole(OneSplitReason reason, _, _) -> OneSplit.because(reason);
            case AccessPath.Ranges ranges -> cut(session, scans, table, scanned, ranges.cut(), snapshot, options.withoutRowIds());
        });
    }

    private RangePlan fallback(ConnectorSession session, JdbcTableHandle table, PlanningOptions options, ExtensionUnavailableException exception)
    {
        FallbackCause cause = exception.fallbackCause();
        if (options.rangeSource() == RangeSource.EXTENSION && cause != FallbackCause.NO_INDEX) {
            throw new TrinoException(
                    MYSQL_PQ_EXTENSION_UNAVAILABLE,
                    "The extension gives no ranges for table %s, and range_source is EXTENSION: %s. %s, or set range_source to AUTO"
                            .formatted(nameOf(table), exception.getMessage(), cause.hint()),
                    exception);
        }
        fallbacks.report(session, nameOf(table), exception, "as one split");
        return OneSplit.fallback(options.rangeSource() == SQL ? NO_SHARED_SNAPSHOT : NO_RANGES_FROM_EXTENSION, cause);
    }
}
