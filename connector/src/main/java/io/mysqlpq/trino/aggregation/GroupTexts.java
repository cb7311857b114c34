package io.mysqlpq.trino.aggregation;

import io.airlift.slice.Slice;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.Arrays;

import static io.airlift.slice.SizeOf.sizeOf;

/** Keeps texts. They compare by their code points, as Trino's VARCHAR does. */
final class GroupTexts
        implements GroupValues
{
    private final Type type;
    private Slice[] texts = {};
    private long textBytes;

    GroupTexts(Type type)
    {
        this.type = type;
    }

    @Override
    public void grow(int count)
    {
        if (count > texts.length) {
            texts = Arrays.copyOf(texts, Math.max(count, 2 * texts.length));
        }
    }

    @Override
    public boolean isKept(int group)
    {
        return group < texts.length && texts[group] != null;
    }

    @Override
    public int compare(Block values, int row, int group)
    {
        return type.getSlice(values, row).compareTo(texts[group]);
    }

    @Override
    public void keep(Block values, int row, int group)
    {
        Slice text = values.isNull(row) ? null : type.getSlice(values, row).copy();
        textBytes += bytes(text) - bytes(texts[group]);
        texts[group] = text;
    }

    private static long bytes(@Nullable Slice text)
    {
        return text == null ? 0 : text.getRetainedSize();
    }

    @Override
    public void write(int group, BlockBuilder output)
    {
        if (isKept(group)) {
            type.writeSlice(output, texts[group]);
        }
        else {
            output.appendNull();
        }
    }

    @Override
    public long retainedBytes()
    {
        return sizeOf(texts) + textBytes;
    }
}
