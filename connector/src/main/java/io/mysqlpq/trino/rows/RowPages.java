package io.mysqlpq.trino.rows;

import com.google.common.collect.ImmutableList;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.DriverSocket;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.trino.spi.Page;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Makes pages of the rows of a result set from which nothing has been read yet. One thread at a time reads. */
public interface RowPages
{
    /**
     * @param rows with the columns' cells first
     * @param packets whether to read past the driver where that is possible
     * @throws ChangedColumnException if MySQL sends a column that is not what the query was planned on
     */
    static RowPages of(ResultSet rows, List<MappedColumn> columns, boolean packets)
            throws SQLException
    {
        Field[] fields = ReceivedColumn.fields(rows);
        for (int column = 0; column < columns.size(); column++) {
            ReceivedColumn.check(fields[column], columns.get(column));
        }
        Optional<DriverSocket> socket = packets ? DriverSocket.of(rows) : Optional.empty();
        return socket.<RowPages>map(taken -> new PacketPages(rows, taken, columns)).orElseGet(() -> new DriverPages(rows, columns));
    }

    /** The next page, waiting for MySQL to send it. The last one may have no rows. */
    Page next()
            throws SQLException;

    /** Whether the last page has been read. The result set is then at its end too. */
    boolean isFinished();

    /** Whether the extension reads the rows, or has read some of them. */
    default boolean isNative()
    {
        return false;
    }

    /** Whether the extension left rows to SQL. */
    default boolean isStopped()
    {
        return false;
    }

    /** Whether there are no pages, since what an earlier read gave is still right. */
    default boolean isUnchanged()
    {
        return false;
    }

    /** Whether the last page is one that an earlier read gave. */
    default boolean isKept()
    {
        return false;
    }

    /** Returns what the pages are of, once the last one has been read. Empty if nobody could tell later whether they are still right. */
    default List<ScannedPiece> pieces()
    {
        return ImmutableList.of();
    }

    /** Whether the driver reads the rows. */
    boolean isByDriver();

    /** Counts blocks that the driver decoded in rows that it did not read: blocks of types without a decoder here, or with unusual cells. */
    long blocksByDriver();

    /** Bytes that the network did not carry, because batches came compressed. */
    default long savedBytes()
    {
        return 0;
    }

    /** Closes the statement, of which all rows are read. */
    void close()
            throws SQLException;

    /** Bytes that are kept from page to page. */
    long retainedBytes();
}
