package io.mysqlpq.trino.scan;

import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;
import jakarta.annotation.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_READ_FAILED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TEMPORARY_TABLE_FULL;
import static java.lang.System.nanoTime;

/** Reads one split's rows into pages, blocking. One thread at a time opens and reads; any thread may cancel. */
final class RowReader
{
    private static final Logger log = Logger.get(RowReader.class);
    private static final int MAX_PAGE_ROWS = 65_536;
    private static final int TABLE_FULL = 1114;

    private final ReadSession session;
    private final ScanQuery query;
    private final ReadMetrics metrics;
    private final PageBuilder page;

    private List<ColumnDecoder> decoders;
    private PreparedStatement statement;
    // Null before the query is sent and after its last row.
    @Nullable
    private ResultSet rows;
    private volatile long retainedBytes;

    RowReader(ReadSession session, ScanQuery query, ReadMetrics metrics)
    {
        this.session = session;
        this.query = query;
        this.metrics = metrics;
        this.page = new PageBuilder(query.columns().stream().map(JdbcColumnHandle::getColumnType).collect(toImmutableList()));
    }

    /** Sends the query. Takes the permit over. */
    void open(Permit permit, TupleDomain<ColumnHandle> dynamicFilter)
    {
        long start = nanoTime();
        try {
            if (session.open(permit)) {
                execute(session.connection(), dynamicFilter);
            }
        }
        catch (SQLException | RuntimeException e) {
            throw failure(e);
        }
        finally {
            metrics.recordOpen(nanoTime() - start);
        }
    }

    private void execute(Connection connection, TupleDomain<ColumnHandle> dynamicFilter)
            throws SQLException
    {
        if (query.fence().isPresent()) {
            query.fence().get().enter(connection);
        }
        decoders = query.decoders(connection);
        statement = query.prepare(connection, dynamicFilter);
        rows = statement.executeQuery();
    }

    /** Reads the next page, empty after the last row or when cancelled. */
    Optional<Page> read()
    {
        if (rows == null) {
            return Optional.empty();
        }
        long start = nanoTime();
        try {
            boolean last = fillPage();
            retainedBytes = page.getRetainedSizeInBytes();
            if (last) {
                end();
            }
            return buildPage(start);
        }
        catch (SQLException | RuntimeException e) {
            throw failure(e);
        }
    }

    private boolean fillPage()
            throws SQLException
    {
        while (!page.isFull() && page.getPositionCount() < MAX_PAGE_ROWS) {
            if (!rows.next()) {
                return true;
            }
            page.declarePosition();
            for (int column = 0; column < decoders.size(); column++) {
                decoders.get(column).decode(rows, column + 1, page.getBlockBuilder(column));
            }
        }
        return false;
    }

    private Optional<Page> buildPage(long start)
    {
        if (page.isEmpty()) {
            metrics.recordRead(0, 0, nanoTime() - start);
            return Optional.empty();
        }
        Page full = page.build();
        page.reset();
        metrics.recordRead(full.getPositionCount(), full.getSizeInBytes(), nanoTime() - start);
        return Optional.of(full);
    }

    // All rows are read, so closing costs nothing, and the connection is clean after the commit.
    private void end()
            throws SQLException
    {
        rows.close();
        rows = null;
        statement.close();
        if (query.fence().isPresent()) {
            query.fence().get().prove(session.connection());
        }
        metrics.recordEnd();
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
        try {
            Connection connection = session.connection();
            return query.fence().map(fence -> fence.causeOf(error, connection)).orElse(error);
        }
        catch (SQLException e) {
            // Cancelled.
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
        Optional<TrinoException> explained = e instanceof SQLException failure ? query.fence().flatMap(fence -> fence.explain(failure)) : Optional.empty();
        if (explained.isPresent()) {
            return explained.get();
        }
        if (e instanceof SQLException failure && failure.getErrorCode() == TABLE_FULL) {
            return new TrinoException(
                    MYSQL_PQ_TEMPORARY_TABLE_FULL,
                    "MySQL has no room for a temporary table over %s: %s. Raise temptable_max_mmap or the space of innodb_temp_data_file_path in MySQL, or let Trino compute by aggregation_pushdown_enabled = false"
                            .formatted(query.tableNames(), e.getMessage()),
                    e);
        }
        return new TrinoException(MYSQL_PQ_READ_FAILED, "Failed to read table %s: %s".formatted(query.tableNames(), e.getMessage()), e);
    }
}
