package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.error.MysqlError;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.sharing.KeptRead;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;
import jakarta.annotation.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_READ_FAILED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TEMPORARY_TABLE_FULL;
import static java.lang.System.nanoTime;

/** Reads one split's rows into pages, blocking. One thread at a time opens and reads; any thread may cancel. */
final class RowReader
{
    private static final Logger log = Logger.get(RowReader.class);
    private static final int TABLE_FULL = 1114;

    private final ReadSession session;
    private final ScanQuery query;
    private final boolean validated;
    private final ReadMetrics metrics;

    // Null before the query is sent and after its last row.
    @Nullable
    private RowPages pages;
    // What an earlier query read, where it has not changed since, and how many of its pages were given.
    @Nullable
    private KeptRead kept;
    private int pagesGiven;
    private volatile List<ScannedPiece> pieces = ImmutableList.of();
    private volatile long retainedBytes;
    private volatile boolean complete;

    /** @param validated whether the extension gives validators, and is to do so */
    RowReader(ReadSession session, ScanQuery query, boolean validated, ReadMetrics metrics)
    {
        this.session = session;
        this.query = query;
        this.validated = validated;
        this.metrics = metrics;
    }

    /**
     * Sends the query. Takes the permit over.
     *
     * @param known what an earlier query read of the same, for the case that the extension says that it has not changed since
     */
    void open(Permit permit, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known)
    {
        long start = nanoTime();
        try {
            if (session.open(permit)) {
                execute(session.connection(), dynamicFilter, known);
            }
        }
        catch (SQLException | RuntimeException e) {
            throw failure(e);
        }
        finally {
            metrics.recordOpen(nanoTime() - start);
        }
    }

    private void execute(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known)
            throws SQLException
    {
        if (query.fence().isPresent()) {
            query.fence().get().enter(connection);
        }
        pages = query.open(connection, dynamicFilter, validated ? Optional.of(known.orElse(KeptRead.NOTHING)) : Optional.empty(), metrics::recordNativeRefused);
        if (pages.isUnchanged()) {
            kept = known.orElseThrow();
            metrics.recordUnchanged();
            return;
        }
        if (pages.isByDriver()) {
            metrics.recordReadByDriver();
        }
        if (pages.isNative()) {
            metrics.recordReadNatively();
        }
    }

    /** Reads the next page, empty after the last row or when cancelled. */
    Optional<Page> read()
    {
        if (pages == null) {
            return Optional.empty();
        }
        long start = nanoTime();
        try {
            if (kept != null) {
                return keptPage();
            }
            Page page = pages.next();
            boolean isKept = pages.isKept();
            retainedBytes = pages.retainedBytes();
            if (pages.isFinished()) {
                end();
            }
            if (isKept) {
                metrics.recordGiven(page);
            }
            else {
                metrics.recordRead(page.getPositionCount(), page.getSizeInBytes(), nanoTime() - start);
            }
            return page.getPositionCount() == 0 ? Optional.empty() : Optional.of(page);
        }
        catch (SQLException | RuntimeException e) {
            throw failure(e);
        }
    }

    private Optional<Page> keptPage()
            throws SQLException
    {
        if (pagesGiven < kept.pages().size()) {
            Page page = kept.pages().get(pagesGiven++);
            metrics.recordGiven(page);
            return Optional.of(page);
        }
        end();
        return Optional.empty();
    }

    // All rows are read, so closing costs nothing, and the connection is clean after the commit.
    private void end()
            throws SQLException
    {
        metrics.recordBlocksByDriver(pages.blocksByDriver());
        if (pages.isStopped()) {
            metrics.recordNativeStopped();
        }
        metrics.recordBytesSaved(pages.savedBytes());
        pieces = kept == null ? pages.pieces() : kept.pieces();
        boolean unchanged = kept != null;
        kept = null;
        pages.close();
        pages = null;
        retainedBytes = 0;
        if (query.fence().isPresent()) {
            query.fence().get().prove(session.connection());
        }
        complete = true;
        if (!unchanged) {
            metrics.recordEnd();
        }
        try {
            if (query.fence().isPresent()) {
                commit(session.connection());
            }
            session.finish();
        }
        catch (SQLException e) {
            // A transaction that only read has nothing to lose, and its rows are complete.
            log.debug(e, "Discarding a connection after reading table %s", query.tableNames());
            session.cancel();
        }
    }

    private void commit(Connection connection)
            throws SQLException
    {
        try (Statement commit = connection.createStatement()) {
            commit.execute(query.withComment("COMMIT"));
        }
    }

    /** Whether the extension reads the rows, or says that they have not changed. */
    boolean isNative()
    {
        return pages != null && pages.isNative();
    }

    /** Whether all rows were read, and are what the fence lets through. */
    boolean isComplete()
    {
        return complete;
    }

    /** What the pages are of. Empty if nobody could tell later whether they are still right, or not all rows were read. */
    List<ScannedPiece> pieces()
    {
        return pieces;
    }

    long retainedBytes()
    {
        return retainedBytes;
    }

    /** Ends the query in MySQL if it runs. A read in progress fails soon after. */
    void cancel()
    {
        session.cancel();
    }

    private SQLException causeOf(SQLException error)
    {
        Optional<ReadFence> fence = query.fence().filter(one -> one.hidesCause(error));
        if (fence.isEmpty() || session.isCancelled()) {
            return error;
        }
        try {
            return session.ask(MysqlError.isConnectionLost(error), connection -> fence.get().causeOf(error, connection));
        }
        catch (SQLException | RuntimeException e) {
            // Cancelled meanwhile, or MySQL answers nobody.
            return error;
        }
    }

    private RuntimeException failure(Exception failed)
    {
        Exception e = failed instanceof SQLException error ? causeOf(error) : failed;
        session.cancel();
        if (e instanceof TrinoException failure) {
            return failure;
        }
        Optional<TrinoException> explained = e instanceof SQLException failure ? query.explain(failure) : Optional.empty();
        if (explained.isPresent()) {
            return explained.get();
        }
        if (e instanceof SQLException failure && failure.getErrorCode() == TABLE_FULL) {
            return new TrinoException(
                    MYSQL_PQ_TEMPORARY_TABLE_FULL,
                    "MySQL has no room for a temporary table for %s: %s. Raise temptable_max_mmap or the disk space of #innodb_temp in MySQL, or set aggregation_pushdown_enabled to false, so that Trino aggregates"
                            .formatted(query.tableNames(), e.getMessage()),
                    e);
        }
        String cause = e instanceof SQLException failure ? ErrorHints.explain(failure, "reply-timeout") : e.getMessage();
        return new TrinoException(MYSQL_PQ_READ_FAILED, "Failed to read table %s: %s".formatted(query.tableNames(), cause), e);
    }
}
