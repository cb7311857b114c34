package io.mysqlpq.trino.rows;

import io.trino.spi.block.Block;

/** Makes a block of a column of a batch. */
interface BatchDecoder
{
    /** @throws UnusualCellException if MySQL itself has to tell what a cell means */
    Block decode(ColumnBatch batch, int column)
            throws UnusualCellException;
}
