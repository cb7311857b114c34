package io.mysqlpq.trino.cells;

import java.sql.SQLException;

/** Gives MySQL's packets, and takes the packet after the last row back. */
public interface PacketSource
{
    /**
     * Reads at least one byte, and at most {@code room} bytes.
     *
     * @param needed bytes without which the caller cannot go on
     * @throws SQLException if there are no more
     */
    int read(byte[] buffer, int offset, int needed, int room)
            throws SQLException;

    /**
     * Takes back the packet after the last row, and all bytes that were read beyond it.
     *
     * @throws SQLException if that packet is an error
     */
    void handBack(byte[] buffer, int offset, int length)
            throws SQLException;
}
