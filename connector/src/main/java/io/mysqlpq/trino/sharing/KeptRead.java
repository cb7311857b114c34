package io.mysqlpq.trino.sharing;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.protocol.ScanValidation;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.trino.spi.Page;

import java.util.List;

/**
 * All pages of a read.
 *
 * @param pieces that they are of, in their order; empty if the extension cannot tell whether another snapshot has the same, or if they are too many
 */
public record KeptRead(List<Page> pages, List<ScannedPiece> pieces)
{
    public static final KeptRead NOTHING = new KeptRead(ImmutableList.of(), ImmutableList.of());

    // The texts of a piece take about this much.
    private static final int BYTES_OF_PIECE = 512;

    public KeptRead
    {
        pages = ImmutableList.copyOf(pages);
        pieces = ScanValidation.areWithinLimits(pieces) ? ImmutableList.copyOf(pieces) : ImmutableList.of();
    }

    boolean hasValidator()
    {
        return pieces.stream().anyMatch(piece -> piece.validator().isPresent());
    }

    long bytesOfPieces()
    {
        return (long) pieces.size() * BYTES_OF_PIECE;
    }
}
