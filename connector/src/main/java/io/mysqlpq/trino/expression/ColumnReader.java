package io.mysqlpq.trino.expression;

import io.airlift.slice.Slice;
import io.mysqlpq.trino.cells.Blocks;
import io.mysqlpq.trino.expression.Expression.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.ValueBlock;

import java.util.Optional;

/** Reads a column of a page into a vector. */
record ColumnReader(Column column, int channel, Vector result)
{
    /** @param rows those to read; empty for all */
    void read(Page page, Optional<int[]> rows, int count)
    {
        Block block = page.getBlock(channel);
        ValueBlock values = block.getUnderlyingValueBlock();
        Optional<int[]> positions = block instanceof ValueBlock ? rows : Optional.of(positions(block, rows, count));
        readNulls(values, positions, count);
        if (column.range().isEmpty()) {
            readTexts(values, positions, count);
        }
        else if (column.needs128Bits()) {
            Blocks.readInt128s(values, positions, count, result.highFor(count), result.lowFor(count));
        }
        else {
            Blocks.readLongs(values, positions, count, result.lowFor(count));
        }
    }

    // Dictionaries, and blocks of one value.
    private static int[] positions(Block block, Optional<int[]> rows, int count)
    {
        int[] chosen = rows.orElse(null);
        int[] positions = new int[count];
        for (int row = 0; row < count; row++) {
            positions[row] = block.getUnderlyingValuePosition(chosen == null ? row : chosen[row]);
        }
        return positions;
    }

    private void readNulls(ValueBlock values, Optional<int[]> positions, int count)
    {
        result.hasNulls = false;
        if (values.mayHaveNull()) {
            int[] chosen = positions.orElse(null);
            boolean[] nulls = result.nullsFor(count);
            for (int row = 0; row < count; row++) {
                nulls[row] = values.isNull(chosen == null ? row : chosen[row]);
            }
        }
    }

    private void readTexts(ValueBlock values, Optional<int[]> positions, int count)
    {
        result.reserveText(count);
        Slice data = Blocks.readBinaries(values, positions, count, result.starts, result.ends);
        result.text = data.byteArray();
        int offset = data.byteArrayOffset();
        if (offset != 0) {
            for (int row = 0; row < count; row++) {
                result.starts[row] += offset;
                result.ends[row] += offset;
            }
        }
    }
}
