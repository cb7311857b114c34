package io.mysqlpq.trino.aggregation;

import io.airlift.slice.Slice;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.Arrays;
import java.util.List;

import static io.airlift.slice.SizeOf.sizeOf;

/** Holds the greatest texts if the sign is 1, the least if it is -1. They compare by their code points, as Trino's VARCHAR does. */
final class GroupTextExtremes
        implements GroupFunction
{
    private final Type type;
    private final int sign;
    private Slice[] texts = {};
    private long textBytes;

    GroupTextExtremes(Type type, int sign)
    {
        this.type = type;
        this.sign = sign;
    }

    @Override
    public List<Type> partialTypes()
    {
        return List.of(type);
    }

    @Override
    public void addRows(@Nullable Block values, int[] groups, int count)
    {
        if (count > texts.length) {
            texts = Arrays.copyOf(texts, Math.max(count, 2 * texts.length));
        }
        for (int row = 0; row < groups.length; row++) {
            if (!values.isNull(row)) {
                add(groups[row], type.getSlice(values, row));
            }
        }
    }

    private void add(int group, Slice text)
    {
        Slice kept = texts[group];
        if (kept == null || sign * text.compareTo(kept) > 0) {
            texts[group] = text.copy();
            textBytes += texts[group].getRetainedSize() - (kept == null ? 0 : kept.getRetainedSize());
        }
    }

    @Override
    public void addPartials(Page partials, int channel, int[] groups, int count)
    {
        addRows(partials.getBlock(channel), groups, count);
    }

    @Override
    public void writePartials(int group, List<BlockBuilder> output)
    {
        write(group, output.getFirst());
    }

    @Override
    public void write(int group, BlockBuilder output)
    {
        if (group >= texts.length || texts[group] == null) {
            output.appendNull();
        }
        else {
            type.writeSlice(output, texts[group]);
        }
    }

    @Override
    public long retainedBytes()
    {
        return sizeOf(texts) + textBytes;
    }
}
