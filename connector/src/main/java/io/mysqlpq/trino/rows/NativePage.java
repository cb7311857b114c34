package io.mysqlpq.trino.rows;

import io.trino.spi.Page;

import java.util.Optional;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/**
 * Holds one batch of the extension as a page.
 *
 * @param page empty if only SQL reads one of the cells
 * @param unusual the column of that cell
 * @param unchanged how many known pieces between the batch before and this one have not changed
 * @param end whether the batch is the last of the range or of a known piece, or the last before a row that the extension leaves to SQL, or says that
 * nothing else has changed
 * @param cursor the key of its last row
 * @param validator of the piece that ends with it
 */
public record NativePage(Optional<Page> page, OptionalInt unusual, int unchanged, End end, Optional<String> cursor, Optional<String> validator)
{
    public enum End
    {
        MORE,
        STOPPED,
        RANGE_ENDED,
        UNCHANGED,
        PIECE_ENDED,
    }

    public NativePage
    {
        requireNonNull(page, "page is null");
        requireNonNull(unusual, "unusual is null");
        requireNonNull(end, "end is null");
        requireNonNull(cursor, "cursor is null");
        requireNonNull(validator, "validator is null");
    }
}
