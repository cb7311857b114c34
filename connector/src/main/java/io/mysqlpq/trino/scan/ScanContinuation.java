package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.protocol.ScannedPiece;
import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.RowPages;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Goes on with a native scan where a statement's batches end. */
interface ScanContinuation
{
    /**
     * Further batches. Empty if the extension refuses them by now.
     *
     * @param cursor the key up to which the scan has come
     * @param known the known pieces from there on
     * @param pieces how many there are before
     */
    Optional<NativeBatches> batchesAfter(String cursor, List<ScannedPiece> known, int pieces)
            throws SQLException;

    /**
     * Returns what is left, which the extension does not read.
     *
     * @param cursor the key of the last row that was read, if there is one
     * @param unusual the column whose cell only SQL reads; empty if the extension left the row
     */
    RowPages rowsAfter(Optional<String> cursor, OptionalInt unusual)
            throws SQLException;
}
