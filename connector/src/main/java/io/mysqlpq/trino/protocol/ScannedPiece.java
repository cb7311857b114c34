package io.mysqlpq.trino.protocol;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A part of a range that a scan read, and that may be asked for again.
 *
 * @param pages how many pages its rows became
 * @param end the key up to which it goes, as the extension wrote it; empty if it is the range's last part
 * @param validator by which the extension tells whether the rows are still the same; empty if it cannot tell
 */
public record ScannedPiece(int pages, Optional<String> end, Optional<String> validator)
{
    public ScannedPiece
    {
        requireNonNull(end, "end is null");
        requireNonNull(validator, "validator is null");
    }
}
