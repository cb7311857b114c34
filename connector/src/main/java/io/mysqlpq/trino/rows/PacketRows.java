package io.mysqlpq.trino.rows;

import com.mysql.cj.result.Field;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Decodes cells as MySQL sent them, each once and without an object of its own. What is unusual the driver decodes. */
final class PacketRows
        implements RowPages
{
    private final DriverSocket socket;
    private final List<MappedColumn> columns;
    private final List<Optional<CellDecoder>> decoders;
    private final CellBatch cells;
    private boolean finished;
    private long blocksByDriver;

    PacketRows(DriverSocket socket, List<MappedColumn> columns)
    {
        Field[] fields = socket.fields();
        this.socket = socket;
        this.columns = columns;
        this.decoders = IntStream.range(0, columns.size()).mapToObj(column -> CellDecoders.decoder(fields[column], columns.get(column).type())).collect(toImmutableList());
        this.cells = new CellBatch(socket, fields.length);
    }

    @Override
    public Page next()
            throws SQLException
    {
        finished = cells.fill();
        Block[] blocks = new Block[columns.size()];
        for (int column = 0; column < blocks.length; column++) {
            blocks[column] = block(column);
        }
        return new Page(cells.rows(), blocks);
    }

    private Block block(int column)
            throws SQLException
    {
        Optional<CellDecoder> decoder = decoders.get(column);
        if (decoder.isPresent()) {
            try {
                return decoder.get().decode(cells, column);
            }
            catch (UnusualCellException _) {
                // The driver either finds a value in it or says what is wrong.
            }
        }
        return blockByDriver(column);
    }

    private Block blockByDriver(int column)
            throws SQLException
    {
        blocksByDriver++;
        byte[][][] rows = new byte[cells.rows()][socket.fields().length][];
        for (int row = 0; row < rows.length; row++) {
            rows[row][column] = cells.cell(row, column);
        }
        ColumnDecoder decoder = ColumnDecoders.decoder(columns.get(column));
        BlockBuilder block = columns.get(column).type().createBlockBuilder(null, rows.length);
        ResultSet decoded = socket.resultSet(rows);
        while (decoded.next()) {
            decoder.decode(decoded, column + 1, block);
        }
        return block.build();
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public boolean isByDriver()
    {
        return false;
    }

    @Override
    public long blocksByDriver()
    {
        return blocksByDriver;
    }

    @Override
    public long retainedBytes()
    {
        return cells.retainedBytes();
    }
}
