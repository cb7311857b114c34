package io.mysqlpq.trino.rows;

import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.DriverDecoder;
import io.mysqlpq.trino.cells.DriverSocket;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.mysqlpq.trino.cells.PacketRows;
import io.mysqlpq.trino.cells.UnusualCellException;
import io.mysqlpq.trino.types.MysqlTypes;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Decodes cells as MySQL sent them, each once and without an object of its own. The driver decodes unusual cells. */
final class PacketPages
        implements RowPages
{
    // If the driver had to decode a column in this many pages, it decodes all further ones.
    private static final int MOST_UNUSUAL_PAGES = 8;

    private final ResultSet rows;
    private final DriverSocket socket;
    private final List<MappedColumn> columns;
    private final PacketRows cells;
    // Null where the driver decodes.
    private final PacketDecoder[] decoders;
    private final List<DriverDecoder> byDriver;
    private final int[] unusualPages;
    private boolean finished;
    private long blocksByDriver;

    PacketPages(ResultSet rows, DriverSocket socket, List<MappedColumn> columns)
    {
        Field[] fields = socket.fields();
        this.rows = rows;
        this.socket = socket;
        this.columns = columns;
        this.cells = new PacketRows(socket, fields.length);
        this.decoders = IntStream.range(0, columns.size())
                .mapToObj(column -> decoder(fields[column], columns.get(column).type()))
                .toArray(PacketDecoder[]::new);
        this.byDriver = columns.stream().map(DriverDecoders::decoder).collect(toImmutableList());
        this.unusualPages = new int[columns.size()];
    }

    // Null if the driver has to decode the column.
    private static PacketDecoder decoder(Field field, Type type)
    {
        return MysqlTypes.of(field).flatMap(sent -> sent.packetDecoder(field, type)).orElse(null);
    }

    @Override
    public Page next()
            throws SQLException
    {
        finished = cells.fill();
        Block[] blocks = new Block[columns.size()];
        for (int column = 0; column < blocks.length; column++) {
            blocks[column] = decode(column);
        }
        int[] missing = IntStream.range(0, blocks.length).filter(column -> blocks[column] == null).toArray();
        if (missing.length > 0) {
            decodeByDriver(missing, blocks);
        }
        return new Page(cells.rows(), blocks);
    }

    // Null if the driver has to decode the column. The driver finds a value in each cell, or says what is wrong.
    private Block decode(int column)
    {
        if (decoders[column] == null) {
            return null;
        }
        try {
            return decoders[column].decode(cells, column);
        }
        catch (UnusualCellException _) {
            unusualPages[column]++;
            if (unusualPages[column] == MOST_UNUSUAL_PAGES) {
                decoders[column] = null;
            }
            return null;
        }
    }

    private void decodeByDriver(int[] missing, Block[] blocks)
            throws SQLException
    {
        byte[][][] rows = new byte[cells.rows()][socket.fields().length][];
        BlockBuilder[] builders = new BlockBuilder[blocks.length];
        for (int column : missing) {
            builders[column] = columns.get(column).type().createBlockBuilder(null, rows.length);
            for (int row = 0; row < rows.length; row++) {
                rows[row][column] = cells.cell(row, column);
            }
        }
        ResultSet decoded = socket.resultSet(rows);
        while (decoded.next()) {
            for (int column : missing) {
                byDriver.get(column).decode(decoded, column + 1, builders[column]);
            }
        }
        for (int column : missing) {
            blocks[column] = builders[column].build();
        }
        blocksByDriver += missing.length;
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
    public void close()
            throws SQLException
    {
        rows.getStatement().close();
    }

    @Override
    public long retainedBytes()
    {
        return cells.retainedBytes();
    }
}
