package io.mysqlpq.trino.protocol;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.collect.Iterables.getOnlyElement;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Asks for validators, and says what is known of the range.
 *
 * @param pieceRows after how many rows a piece with a validator of its own ends; empty if the range is one piece
 * @param after the key up to which the scan has come in an earlier statement
 * @param known what is left of the pieces that are known; empty if nothing is known
 */
public record ScanValidation(OptionalInt pieceRows, Optional<String> after, List<ScannedPiece> known)
{
    private static final int MOST_PIECES = 1024;
    private static final int MOST_BYTES = 1024 * 1024;
    private static final int MOST_ROWS = 1 << 24;
    // Further pieces are twice as large, so that those of a large range are not too many.
    private static final int PIECES_OF_ONE_SIZE = 128;
    private static final int BYTES_OF_VALIDATOR = 170;

    public ScanValidation
    {
        requireNonNull(pieceRows, "pieceRows is null");
        requireNonNull(after, "after is null");
        known = ImmutableList.copyOf(known);
    }

    public static ScanValidation ofRange(List<ScannedPiece> known)
    {
        return new ScanValidation(OptionalInt.empty(), Optional.empty(), known);
    }

    public static ScanValidation ofPieces(int rows, List<ScannedPiece> known)
    {
        return new ScanValidation(OptionalInt.of(rows), Optional.empty(), known);
    }

    public boolean isOfPieces()
    {
        return pieceRows.isPresent();
    }

    /** Returns what a further statement says, which goes on after a key. The more pieces there are, the larger become further ones. */
    ScanValidation goOn(String cursor, List<ScannedPiece> left, int pieces)
    {
        int rows = (int) min((long) pieceRows.orElseThrow() << (pieces / PIECES_OF_ONE_SIZE), MOST_ROWS);
        return new ScanValidation(OptionalInt.of(rows), Optional.of(cursor), left);
    }

    /** Whether the extension accepts so many pieces, with such keys. */
    public static boolean areWithinLimits(List<ScannedPiece> known)
    {
        return known.size() <= MOST_PIECES
                && known.stream().mapToLong(piece -> BYTES_OF_VALIDATOR + piece.end().map(Utf8::encodedLength).orElse(0)).sum() < MOST_BYTES;
    }

    /** The {@code validator} argument. */
    public String argument()
    {
        if (!isOfPieces()) {
            return known.isEmpty() ? "" : getOnlyElement(known).validator().orElse("");
        }
        // Keys are JSON. Validators hold nothing that JSON would escape.
        return "{\"piece_rows\": %s%s, \"pieces\": [%s]}".formatted(
                pieceRows.getAsInt(),
                after.map(", \"after\": %s"::formatted).orElse(""),
                known.stream().map(piece -> "[\"%s\", %s]".formatted(piece.validator().orElse(""), piece.end().orElse("null"))).collect(joining(", ")));
    }
}
