package io.mysqlpq.trino.cells;

import io.trino.spi.block.BlockBuilder;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Appends one cell of the current row to a block, asking the driver for it once. */
public interface DriverDecoder
{
    void decode(ResultSet rows, int column, BlockBuilder output)
            throws SQLException;
}
