package io.mysqlpq.trino.planning;

import io.airlift.log.Logger;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.server.TableSize;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import static io.mysqlpq.trino.planning.OneSplitReason.LIMIT;
import static io.mysqlpq.trino.planning.OneSplitReason.NOT_A_TABLE;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_RANGES_FROM_EXTENSION;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_SHARED_SNAPSHOT;
import static io.mysqlpq.trino.planning.OneSplitReason.PARALLEL_READS_OFF;
import static io.mysqlpq.trino.planning.OneSplitReason.POINT_LOOKUP;
import static io.mysqlpq.trino.planning.OneSplitReason.PUSHED_QUERY;
import static io.mysqlpq.trino.planning.OneSplitReason.RANGE_SOURCE_NONE;
import static io.mysqlpq.trino.planning.OneSplitReason.SNAPSHOT_PER_SCAN;
import static io.mysqlpq.trino.planning.RangeSource.EXTENSION;
import static io.mysqlpq.trino.planning.RangeSource.SQL;
import static java.util.Objects.requireNonNull;

/**
 * Decides how the scans of one query are read.
 *
 * <p>It asks MySQL each question once, and keeps the answers. All who ask how a scan is read therefore get the same answer: the choice of
 * what is pushed down, the text in EXPLAIN, and the planning of ranges.
 */
public final class QueryScans
{
    private static final Logger log = Logger.get(QueryScans.class);

    private final ConnectorSession session;
    private final FactReader reader;
    private final ScanPlanner planner;
    // Holds an answer for each question. A failure is an answer too: otherwise each question would wait for MySQL again.
    private final Map<Question, Answer> answers = new ConcurrentHashMap<>();
    private final Map<RemoteTableName, SnapshotToken> locks = new ConcurrentHashMap<>();

    QueryScans(ConnectorSession session, FactReader reader, ScanPlanner planner)
    {
        this.session = requireNonNull(session, "session is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.planner = requireNonNull(planner, "planner is null");
    }

    /** Whether what is kept is of this query and was asked for by this user. A transaction may have several queries, and a query views of several owners. */
    public boolean isOf(ConnectorSession session)
    {
        return session.getQueryId().equals(this.session.getQueryId())
                && session.getUser().equals(this.session.getUser())
                && session.getIdentity().getExtraCredentials().equals(this.session.getIdentity().getExtraCredentials());
    }

    /**
     * Returns a decision that is made when its path is asked for.
     *
     * @param rows the table with filters and limits, its columns those that will be read
     */
    public ScanDecision decision(Supplier<JdbcTableHandle> rows, PlanningOptions options)
    {
        return new ScanDecision(this, rows, options);
    }

    /**
     * Decides how a scan is read.
     *
     * @param rows its columns are those that will be read
     */
    public AccessPath decide(JdbcTableHandle rows, PlanningOptions options)
    {
        Optional<OneSplitReason> whole = byHandle(rows, options);
        if (whole.isPresent()) {
            return AccessPath.Whole.because(whole.get());
        }
        if (planner.isPointLookup(rows)) {
            return AccessPath.Whole.because(POINT_LOOKUP);
        }
        TableFacts facts = facts(nameOf(rows));
        if (!hasRanges(facts.key().shape())) {
            return AccessPath.Whole.because(NOT_A_TABLE);
        }
        Optional<FallbackCause> cause = facts.fallbackCause();
        PlanningOptions possible = cause.isEmpty() && options.snapshotMode() != SnapshotMode.NONE ? options : options.withoutNativeScans();
        return switch (choose(rows, facts.key(), possible)) {
            case IndexChoice.Whole(OneSplitReason reason, Optional<String> index) -> new AccessPath.Whole(reason, index, Optional.empty());
            case Cut cut -> bySource(cut, possible, CutPlanner.mayBeReadNatively(rows, cut, possible), cause);
        };
    }

    /** Whether a scan reads one row at most, by a unique key that its table had lately. Asks MySQL nothing. */
    public boolean isPointLookup(JdbcTableHandle rows)
    {
        return planner.isPointLookup(rows);
    }

    private static AccessPath bySource(Cut cut, PlanningOptions options, boolean natively, Optional<FallbackCause> cause)
    {
        boolean snapshot = cause.isEmpty() || options.snapshotMode() == SnapshotMode.NONE;
        if (options.rangeSource() == SQL) {
            return snapshot ? new AccessPath.Ranges(cut, SQL, natively, Optional.empty()) : new AccessPath.Whole(NO_SHARED_SNAPSHOT, Optional.empty(), cause);
        }
        if (cause.isEmpty()) {
            return new AccessPath.Ranges(cut, EXTENSION, natively, cause);
        }
        return options.isSqlInstead(cause.get()) ? new AccessPath.Ranges(cut, SQL, false, cause) : new AccessPath.Whole(NO_RANGES_FROM_EXTENSION, Optional.empty(), cause);
    }

    /** Says why a scan is one split, if its handle and the session tell. */
    static Optional<OneSplitReason> byHandle(JdbcTableHandle table, PlanningOptions options)
    {
        if (!options.parallelReads()) {
            return Optional.of(PARALLEL_READS_OFF);
        }
        if (options.rangeSource() == RangeSource.NONE) {
            return Optional.of(RANGE_SOURCE_NONE);
        }
        if (options.snapshotMode() == SnapshotMode.PER_SCAN) {
            return Optional.of(SNAPSHOT_PER_SCAN);
        }
        if (!table.isNamedRelation()) {
            return Optional.of(PUSHED_QUERY);
        }
        return table.getLimit().isPresent() && !options.firstRows() ? Optional.of(LIMIT) : Optional.empty();
    }

    private static boolean hasRanges(TableKey.Shape shape)
    {
        return switch (shape) {
            case VIEW, OTHER_ENGINE, UNKNOWN -> false;
            case PARTITIONED_TABLE, INNODB_TABLE -> true;
        };
    }

    private IndexChoice choose(JdbcTableHandle rows, TableKey key, PlanningOptions options)
    {
        IndexChoice choice = IndexChooser.choose(this, rows, key, options);
        return choice instanceof Cut cut && cut.index().isOfRowIds() && !isReadByRowIds(rows, key, cut, options)
                ? IndexChooser.choose(this, rows, key, options.withoutRowIds())
                : choice;
    }

    /** Returns what the dictionary says of a table's indexes. */
    public TableKey key(RemoteTableName table)
    {
        return facts(table).key();
    }

    /** Whether the table's server has an extension that computes expressions and groups. */
    public boolean isAggregated(RemoteTableName table)
    {
        return facts(table).aggregated();
    }

    TableFacts facts(RemoteTableName table)
    {
        return answer(new TableQuestion(table), () -> reader.facts(session, table));
    }

    /**
     * Takes over the key that a table has while it is locked. Forgets what is known of a table that was altered before. Forgets also what
     * MySQL said of partitions before the lock: they may have other rows by now, and a partition that was left out would not be read.
     *
     * @param snapshot the one that holds the lock, and lends it to whoever asks MySQL about the table
     */
    void lock(RemoteTableName table, SnapshotToken snapshot, TableKey key)
    {
        locks.put(table, snapshot);
        Optional<TableFacts> known = answers.get(new TableQuestion(table)) instanceof Answer.Value(TableFacts facts) ? Optional.of(facts) : Optional.empty();
        if (known.filter(facts -> facts.key().equals(key)).isEmpty() || key.shape() == TableKey.Shape.PARTITIONED_TABLE) {
            answers.keySet().removeIf(question -> question.table().equals(table));
        }
        // A question that failed may have waited for the lock that is held now.
        answers.entrySet().removeIf(answer -> answer.getKey().table().equals(table) && answer.getValue() instanceof Answer.Failure);
        // A session that locks tables shares a snapshot, which only the extension gives.
        answers.put(new TableQuestion(table), new Answer.Value(new TableFacts(key, Optional.empty(), known.map(TableFacts::aggregated).orElse(true))));
    }

    private Optional<SnapshotToken> lock(RemoteTableName table)
    {
        return Optional.ofNullable(locks.get(table));
    }

    /** How MySQL would run a query of one table. Empty if it does not say, which makes no query fail. */
    public Optional<ExplainedScan> explain(RemoteTableName table, PreparedQuery query)
    {
        try {
            return Optional.of(explained(table, query));
        }
        catch (TrinoException e) {
            log.debug(e, "No EXPLAIN of a query of table %s", table);
            return Optional.empty();
        }
    }

    /** How MySQL would read a scan as one statement. Empty if it does not say, which makes no query fail. */
    public Optional<ExplainedScan> explain(RemoteTableName table, JdbcTableHandle rows)
    {
        return explain(table, planner.statement(session, rows));
    }

    /** How MySQL would read a scan as one statement. */
    ExplainedScan explain(JdbcTableHandle rows)
    {
        return explained(nameOf(rows), planner.statement(session, rows));
    }

    private ExplainedScan explained(RemoteTableName table, PreparedQuery query)
    {
        return answer(new ExplainQuestion(table, query), () -> reader.explain(session, table, lock(table), query));
    }

    /** Returns the size of a table. Empty if there is no such table. */
    Optional<TableSize> size(RemoteTableName table)
    {
        return answer(new SizeQuestion(table), () -> reader.size(session, table));
    }

    /** Whether the rows that a secondary index leads to stand anywhere in the table. Asks for a sample of the index. */
    boolean areRowsAnywhere(RemoteTableName table, TableKey key, TableIndex index)
    {
        return answer(new OrderQuestion(table, index.name()), () -> reader.areRowsAnywhere(session, table, lock(table), key, index));
    }

    private boolean isReadByRowIds(JdbcTableHandle rows, TableKey key, Cut cut, PlanningOptions options)
    {
        return answer(new RowIdsQuestion(nameOf(rows), planner.statement(session, rows), options), () -> reader.isReadByRowIds(session, rows, lock(nameOf(rows)), key, cut, options));
    }

    // Two threads that ask at the same time both ask MySQL, and wait for nobody.
    @SuppressWarnings("unchecked")
    private <T> T answer(Question question, Supplier<T> ask)
    {
        Answer known = answers.get(question);
        if (known == null) {
            known = ask(ask);
            answers.put(question, known);
        }
        return switch (known) {
            case Answer.Value(Object value) -> (T) value;
            case Answer.Failure(TrinoException cause) -> throw cause;
        };
    }

    private static Answer ask(Supplier<?> question)
    {
        try {
            return new Answer.Value(question.get());
        }
        catch (TrinoException e) {
            return new Answer.Failure(e);
        }
    }

    static RemoteTableName nameOf(JdbcTableHandle table)
    {
        return table.getRequiredNamedRelation().getRemoteTableName();
    }

    private sealed interface Answer
    {
        record Value(Object value)
                implements Answer
        {}

        record Failure(TrinoException cause)
                implements Answer
        {}
    }

    private sealed interface Question
    {
        RemoteTableName table();
    }

    private record TableQuestion(RemoteTableName table)
            implements Question
    {}

    private record SizeQuestion(RemoteTableName table)
            implements Question
    {}

    private record OrderQuestion(RemoteTableName table, String index)
            implements Question
    {}

    private record ExplainQuestion(RemoteTableName table, PreparedQuery query)
            implements Question
    {}

    private record RowIdsQuestion(RemoteTableName table, PreparedQuery query, PlanningOptions options)
            implements Question
    {}
}
