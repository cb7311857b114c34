package io.mysqlpq.trino.cells;

import io.trino.spi.block.Block;

/** Makes a block of a column's cells as MySQL sent them. */
public interface PacketDecoder
{
    /** @throws UnusualCellException if the driver has to tell what a cell means, or that it means nothing */
    Block decode(PacketRows cells, int column)
            throws UnusualCellException;
}
