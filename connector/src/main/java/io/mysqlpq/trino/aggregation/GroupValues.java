package io.mysqlpq.trino.aggregation;

import io.airlift.slice.Slice;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

/** Keeps a value for each of many groups, which are numbered. */
sealed interface GroupValues
        permits GroupFixedValues, GroupTexts
{
    /** Makes room for so many groups. */
    void grow(int count);

    /** Whether a value is kept for the group that is not NULL. The group may be one that there was no room for. */
    boolean isKept(int group);

    /** Compares the value of a row, which is not NULL, with that of a group, as Trino orders them. */
    int compare(Block values, int row, int group);

    /** Keeps the value of a row for a group in place of another. It may be NULL. */
    void keep(Block values, int row, int group);

    /** Appends the value of a group: NULL if none is kept. */
    void write(int group, BlockBuilder output);

    long retainedBytes();

    static GroupValues of(Type type)
    {
        return type.getJavaType() == Slice.class ? new GroupTexts(type) : new GroupFixedValues(type);
    }
}
