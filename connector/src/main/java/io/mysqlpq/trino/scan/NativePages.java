package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.NativePage;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.sharing.KeptRead;
import io.trino.spi.Page;
import jakarta.annotation.Nullable;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;

import static java.util.Objects.requireNonNull;

/**
 * Makes pages of the batches of a scan, of rows or groups. Between them it gives those of known pieces that have not changed. Where the extension leaves
 * a row to others, they read the rest.
 */
final class NativePages
        implements RowPages
{
    private final ScanContinuation scan;
    private final boolean inPieces;
    private final KeptRead known;
    private NativeBatches batches;
    // The key of the last row that is part of a page.
    private Optional<String> cursor;
    // How many of the known pieces, and of their pages, the scan has passed.
    private int piecesPassed;
    private int pagesPassed;
    // What was read and not yet given.
    private final Queue<Given> pages = new ArrayDeque<>();
    private final List<ScannedPiece> pieces = new ArrayList<>();
    private int pagesOfPiece;
    // By the statements before this one.
    private long savedBefore;
    @Nullable
    private RowPages rest;
    private boolean ended;
    private boolean lastIsKept;

    /**
     * @param inPieces whether each batch is a piece
     * @param known of the pieces that the scan was told of
     * @param cursor the key behind which the batches begin, if they do not begin where the range does
     */
    NativePages(ScanContinuation scan, NativeBatches batches, boolean inPieces, KeptRead known, Optional<String> cursor)
    {
        this.scan = requireNonNull(scan, "scan is null");
        this.batches = requireNonNull(batches, "batches is null");
        this.inPieces = inPieces;
        this.known = requireNonNull(known, "known is null");
        this.cursor = requireNonNull(cursor, "cursor is null");
    }

    private record Given(Page page, boolean isKept)
    {}

    @Override
    public Page next()
            throws SQLException
    {
        while (pages.isEmpty() && !ended && rest == null) {
            readBatch();
        }
        lastIsKept = !pages.isEmpty() && pages.element().isKept();
        if (!pages.isEmpty()) {
            return pages.remove().page();
        }
        return rest == null ? new Page(0) : rest.next();
    }

    private void readBatch()
            throws SQLException
    {
        Optional<NativePage> next = batches.next();
        if (next.isEmpty()) {
            scanOn();
            return;
        }
        NativePage batch = next.get();
        passUnchanged(batch.unchanged());
        if (batch.page().isEmpty()) {
            batches.drain();
            rest = scan.rowsAfter(cursor, batch.unusual());
            return;
        }
        if (batch.page().get().getPositionCount() > 0) {
            pages.add(new Given(batch.page().get(), false));
            pagesOfPiece++;
        }
        cursor = batch.cursor();
        switch (batch.end()) {
            case STOPPED -> {
                batches.drain();
                rest = scan.rowsAfter(cursor, OptionalInt.empty());
            }
            case RANGE_ENDED -> {
                batches.drain();
                endPiece(batch);
                ended = true;
            }
            case UNCHANGED -> {
                batches.drain();
                if (piecesPassed < known.pieces().size() || pieces.isEmpty()) {
                    throw NativeBatches.unchangedSinceNothing();
                }
                ended = true;
            }
            case PIECE_ENDED -> {
                endPiece(batch);
                pass(nextKnown());
            }
            case MORE -> {
                if (inPieces) {
                    endPiece(batch);
                }
            }
        }
    }

    private void passUnchanged(int count)
            throws SQLException
    {
        for (int i = 0; i < count; i++) {
            ScannedPiece piece = nextKnown();
            known.pages().subList(pagesPassed, pagesPassed + piece.pages()).forEach(page -> pages.add(new Given(page, true)));
            pieces.add(piece);
            cursor = piece.end();
            pass(piece);
        }
    }

    private ScannedPiece nextKnown()
            throws SQLException
    {
        if (piecesPassed == known.pieces().size()) {
            throw NativeBatches.unchangedSinceNothing();
        }
        return known.pieces().get(piecesPassed);
    }

    private void pass(ScannedPiece piece)
    {
        piecesPassed++;
        pagesPassed += piece.pages();
    }

    private void endPiece(NativePage batch)
    {
        pieces.add(new ScannedPiece(pagesOfPiece, batch.cursor(), batch.validator()));
        pagesOfPiece = 0;
    }

    // The statement allowed fewer batches than the range has.
    private void scanOn()
            throws SQLException
    {
        batches.close();
        Optional<NativeBatches> further = scan.batchesAfter(cursor.orElseThrow(NativeBatches::withoutCursor), known.pieces().subList(piecesPassed, known.pieces().size()), pieces.size());
        if (further.isPresent()) {
            savedBefore += batches.savedBytes();
            batches = further.get();
        }
        else {
            rest = scan.rowsAfter(cursor, OptionalInt.empty());
        }
    }

    @Override
    public boolean isFinished()
    {
        return pages.isEmpty() && (rest == null ? ended : rest.isFinished());
    }

    @Override
    public boolean isKept()
    {
        return lastIsKept;
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
    public long savedBytes()
    {
        return savedBefore + batches.savedBytes() + (rest == null ? 0 : rest.savedBytes());
    }

    @Override
    public List<ScannedPiece> pieces()
    {
        return rest == null ? ImmutableList.copyOf(pieces) : ImmutableList.of();
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
