package io.mysqlpq.trino.rows;

import io.mysqlpq.trino.cells.PacketRows;
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
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Measures values per second of one type, as packets and from there to blocks. */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.SECONDS)
public class BenchmarkPacketPages
{
    public static final int ROWS = 8192;

    @Param({"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DECIMAL_12_2", "DECIMAL_38_3", "DOUBLE", "REAL", "DATE", "DATETIME_6", "TIMESTAMP_6", "VARCHAR", "CHAR", "VARBINARY"})
    public String type;

    @Param({"0", "8"})
    public int nullEvery;

    private CellColumn column;
    private SentPackets packets;
    private PacketRows filled;

    @Setup
    public void setUp()
            throws SQLException
    {
        column = CellColumn.valueOf(type);
        packets = new SentPackets(List.of(column), ROWS, nullEvery);
        filled = find(packets);
    }

    /** Finds the cells in packets. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public Object findCells()
            throws SQLException
    {
        return find(packets);
    }

    /** Makes a block of cells that are found. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public Block decodeCells()
            throws UnusualCellException
    {
        return column.decoder().decode(filled, 0);
    }

    private static PacketRows find(SentPackets packets)
            throws SQLException
    {
        PacketRows cells = new PacketRows(packets, 1);
        if (!cells.fill()) {
            throw new IllegalStateException("The rows take more than one batch");
        }
        return cells;
    }
}
