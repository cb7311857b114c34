package io.mysqlpq.trino.cells;

import io.trino.spi.block.Block;

import java.sql.SQLException;

/** Makes a block of a column of a batch. */
public interface BatchDecoder
{
    /**
     * @throws UnusualCellException if MySQL itself has to tell what a cell means
     * @throws SQLException if the batch is malformed
     */
    Block decode(ColumnBatch batch, int column)
            throws SQLException, UnusualCellException;
}
