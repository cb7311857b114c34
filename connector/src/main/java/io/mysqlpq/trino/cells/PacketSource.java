package io.mysqlpq.trino.cells;

import java.sql.SQLException;

/** Where MySQL's packets come from, and where the one after the last row goes back to. */
public interface PacketSource
{
    /**
     * Reads at least one byte, where so many are needed, and at most as many as there is room for.
     *
     * @throws SQLException if there are no more
     */
    int read(byte[] buffer, int offset, int needed, int room)
            throws SQLException;

    /**
     * Takes the packet after the last row, and all that was read beyond.
     *
     * @throws SQLException if that packet is an error
     */
    void handBack(byte[] buffer, int offset, int length)
            throws SQLException;
}
