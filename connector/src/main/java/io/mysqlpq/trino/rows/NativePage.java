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
 * @param end whether the batch is the range's last, or the last before a row that the extension leaves to SQL, or says that nothing has changed
 * @param cursor the key of its last row
 * @param validator of the whole scan, if the batch is the range's last
 */
public record NativePage(Optional<Page> page, OptionalInt unusual, End end, Optional<String> cursor, Optional<String> validator)
{
    public enum End
    {
        MORE,
        STOPPED,
        RANGE_ENDED,
        UNCHANGED,
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
