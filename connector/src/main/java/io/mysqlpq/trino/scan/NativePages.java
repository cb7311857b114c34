package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.NativePage;
import io.mysqlpq.trino.rows.RowPages;
import io.trino.spi.Page;
import jakarta.annotation.Nullable;

import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/** Makes pages of batches. Goes on by SQL if the extension leaves a row to MySQL. */
final class NativePages
        implements RowPages
{
    private final NativeScan.Opened scan;
    private NativeBatches batches;
    // The key of the last row that became part of a page.
    private Optional<String> cursor;
    private Optional<String> validator = Optional.empty();
    @Nullable
    private RowPages rest;
    private boolean finished;

    /** @param cursor the key behind which the batches begin, if they do not begin where the range does */
    NativePages(NativeScan.Opened scan, NativeBatches batches, Optional<String> cursor)
    {
        this.cursor = requireNonNull(cursor, "cursor is null");
        this.scan = requireNonNull(scan, "scan is null");
        this.batches = requireNonNull(batches, "batches is null");
    }

    @Override
    public Page next()
            throws SQLException
    {
        while (rest == null) {
            Optional<NativePage> next = batches.next();
            if (next.isEmpty()) {
                scanOn();
                continue;
            }
            NativePage batch = next.get();
            if (batch.page().isEmpty()) {
                batches.drain();
                goOnBySql(batch.unusual());
                continue;
            }
            cursor = batch.cursor();
            switch (batch.end()) {
                case STOPPED -> {
                    batches.drain();
                    goOnBySql(OptionalInt.empty());
                }
                case RANGE_ENDED -> {
                    batches.drain();
                    validator = batch.validator();
                    finished = true;
                }
                case UNCHANGED -> throw NativeBatches.unchangedSinceNothing();
                case MORE -> {}
            }
            if (batch.page().get().getPositionCount() > 0 || finished) {
                return batch.page().get();
            }
        }
        return rest.next();
    }

    // The statement allowed fewer batches than the range has.
    private void scanOn()
            throws SQLException
    {
        batches.close();
        Optional<NativeBatches> further = scan.batchesAfter(cursor.orElseThrow(NativeBatches::withoutCursor));
        if (further.isPresent()) {
            batches = further.get();
        }
        else {
            goOnBySql(OptionalInt.empty());
        }
    }

    private void goOnBySql(OptionalInt unusual)
            throws SQLException
    {
        rest = scan.rowsAfter(cursor, unusual);
    }

    @Override
    public boolean isFinished()
    {
        return rest == null ? finished : rest.isFinished();
    }

    @Override
    public boolean isByDriver()
    {
        return false;
    }

    @Override
    public long blocksByDriver()
    {
        return rest == null ? 0 : rest.blocksByDriver();
    }

    @Override
    public boolean isNative()
    {
        return true;
    }

    @Override
    public boolean isStopped()
    {
        return rest != null;
    }

    @Override
    public Optional<String> validator()
    {
        return validator;
    }

    @Override
    public void close()
            throws SQLException
    {
        batches.close();
        if (rest != null) {
            rest.close();
        }
    }

    @Override
    public long retainedBytes()
    {
        return rest == null ? batches.retainedBytes() : rest.retainedBytes();
    }
}
