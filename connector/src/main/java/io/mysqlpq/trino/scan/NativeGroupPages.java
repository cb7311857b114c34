package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.NativePage;
import io.mysqlpq.trino.rows.RowPages;
import io.trino.spi.Page;
import jakarta.annotation.Nullable;

import java.sql.SQLException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Makes pages of batches of groups. Groups rows itself from where the extension stops. */
final class NativeGroupPages
        implements RowPages
{
    private final NativeGroups.Statements statements;
    private NativeBatches batches;
    // The key of the last row whose group is part of a page.
    private Optional<String> cursor = Optional.empty();
    private Optional<String> validator = Optional.empty();
    @Nullable
    private RowPages rest;
    private boolean finished;

    NativeGroupPages(NativeGroups.Statements statements, NativeBatches batches)
    {
        this.statements = requireNonNull(statements, "statements is null");
        this.batches = requireNonNull(batches, "batches is null");
    }

    @Override
    public Page next()
            throws SQLException
    {
        while (rest == null) {
            Optional<NativePage> next = batches.next();
            if (next.isEmpty()) {
                goOn();
                continue;
            }
            NativePage batch = next.get();
            if (batch.page().isEmpty()) {
                // A value of a group is none of Trino's type.
                batches.drain();
                rest = statements.rowsAfter(cursor);
                continue;
            }
            cursor = batch.cursor();
            validator = batch.validator();
            if (batch.end() != NativePage.End.MORE) {
                batches.drain();
            }
            switch (batch.end()) {
                case STOPPED -> rest = statements.rowsAfter(cursor);
                case RANGE_ENDED -> finished = true;
                case UNCHANGED -> throw NativeBatches.unchangedSinceNothing();
                case MORE -> {}
            }
            // A page without rows would be the last one.
            if (batch.page().get().getPositionCount() > 0 || finished) {
                return batch.page().get();
            }
        }
        return rest.next();
    }

    // The statement allowed fewer batches than there are.
    private void goOn()
            throws SQLException
    {
        batches.close();
        Optional<NativeBatches> further = statements.batchesAfter(cursor.orElseThrow(NativeBatches::withoutCursor));
        if (further.isPresent()) {
            batches = further.get();
        }
        else {
            rest = statements.rowsAfter(cursor);
        }
    }

    @Override
    public boolean isFinished()
    {
        return rest == null ? finished : rest.isFinished();
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
