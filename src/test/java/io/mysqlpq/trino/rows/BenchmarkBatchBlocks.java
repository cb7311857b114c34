package io.mysqlpq.trino.rows;

import io.mysqlpq.trino.cells.ColumnBatch;
import io.mysqlpq.trino.cells.UnusualCellException;
import io.trino.spi.block.Block;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** Measures values per second of one type, from column batches of the extension to blocks. */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.SECONDS)
public class BenchmarkBatchBlocks
{
    public static final int ROWS = 8192;

    @Param({"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DECIMAL_38_3", "DATE", "DATETIME_6", "TIMESTAMP_3", "TIMESTAMP_6", "VARCHAR"})
    public String type;

    @Param({"0", "8"})
    public int nullEvery;

    private BatchColumn column;
    private ColumnBatch batch;

    @Setup
    public void setUp()
            throws SQLException
    {
        column = BatchColumn.valueOf(type);
        batch = WrittenBatch.of(column, ROWS, nullEvery);
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public Block makeBlock()
            throws SQLException, UnusualCellException
    {
        return column.decoder().decode(batch, 0);
    }
}
