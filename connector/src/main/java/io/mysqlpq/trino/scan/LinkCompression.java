package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.connection.LinkSpeed;
import io.mysqlpq.trino.nativescan.ScanCompression;
import io.mysqlpq.trino.protocol.BatchForm;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/**
 * Decides how the batches of a split come.
 *
 * @param possible whether the extension knows how
 */
record LinkCompression(ScanCompression wanted, boolean possible, LinkSpeed link)
{
    // A core compresses twice as many bytes in a second.
    private static final double SLOW_BYTES_PER_SECOND = 160e6;

    LinkCompression
    {
        requireNonNull(wanted, "wanted is null");
        requireNonNull(link, "link is null");
    }

    /** Blocks for some statements if the link has not been measured lately. */
    BatchForm form(Connection connection, UnaryOperator<String> queryComment)
            throws SQLException
    {
        if (!possible) {
            return BatchForm.WIDE;
        }
        boolean pays = switch (wanted) {
            case ZSTD -> true;
            case NONE -> false;
            case AUTO -> link.bytesPerSecond(connection, queryComment).orElse(Double.MAX_VALUE) < SLOW_BYTES_PER_SECOND;
        };
        return pays ? BatchForm.COMPRESSED : BatchForm.NARROW;
    }
}
