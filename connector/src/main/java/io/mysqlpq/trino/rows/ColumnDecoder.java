package io.mysqlpq.trino.rows;

import io.trino.spi.block.BlockBuilder;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Appends one cell of the current row to a block, asking the driver for it once. */
interface ColumnDecoder
{
    void decode(ResultSet rows, int column, BlockBuilder output)
            throws SQLException;
}
