package io.mysqlpq.trino.aggregation;

import io.mysqlpq.trino.aggregation.NativeAggregation.Aggregate;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.List;

/**
 * Computes an aggregate function of many groups, which are numbered: of rows, and of what ranges give of their rows.
 *
 * <p>What a range gives is the same from the extension and from here. A count is one BIGINT. A sum is one integer of 128 bits; of values of
 * 128 bits it is two, of which the first counts for 2^64. A sum of floating numbers is one. An average is a sum and a count. A value of the row
 * of an extreme is the extreme and that value.
 */
sealed interface GroupFunction
        permits GroupCounts, GroupExtremes, GroupValuesBeside, GroupSums, GroupAverages, GroupFloatingSums, GroupFloatingAverages
{
    /** Returns the types of what a range gives for it. */
    List<Type> partialTypes();

    /**
     * Adds rows.
     *
     * @param arguments the values of each, none if there are no arguments
     * @param groups the group of each row
     * @param count of all groups so far
     */
    void addRows(List<Block> arguments, int[] groups, int count);

    /**
     * Adds what a range gave of its rows.
     *
     * @param channel the first of its columns
     */
    void addPartials(Page partials, int channel, int[] groups, int count);

    /** Appends what is known of a group, as a range gives it. */
    void writePartials(int group, List<BlockBuilder> output);

    /** Appends the value of a group. */
    void write(int group, BlockBuilder output);

    long retainedBytes();

    /** Whether the value depends on the order in which rows, and groups of ranges, are added. */
    default boolean dependsOnOrder()
    {
        return false;
    }

    static GroupFunction of(Aggregate aggregate)
    {
        Type result = aggregate.column().getColumnType();
        return switch (aggregate.function()) {
            case COUNT -> new GroupCounts();
            case MIN -> new GroupExtremes(result, -1);
            case MAX -> new GroupExtremes(result, 1);
            case MIN_BY -> new GroupValuesBeside(argument(aggregate), -1, result);
            case MAX_BY -> new GroupValuesBeside(argument(aggregate), 1, result);
            case SUM -> isFloating(aggregate) ? new GroupFloatingSums() : new GroupSums(argument(aggregate), result);
            case AVERAGE -> isFloating(aggregate) ? new GroupFloatingAverages() : new GroupAverages(argument(aggregate), result);
        };
    }

    private static Type argument(Aggregate aggregate)
    {
        return aggregate.arguments().getFirst().column().getColumnType();
    }

    private static boolean isFloating(Aggregate aggregate)
    {
        return argument(aggregate) instanceof DoubleType;
    }

    static long[] grown(long[] values, int count)
    {
        return count <= values.length ? values : Arrays.copyOf(values, Math.max(count, 2 * values.length));
    }
}
