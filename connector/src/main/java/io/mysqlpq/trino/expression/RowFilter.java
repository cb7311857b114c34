package io.mysqlpq.trino.expression;

import io.trino.spi.Page;

import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Finds the rows of a page for which all conditions are true. One thread at a time may use it. */
public final class RowFilter
{
    private final List<Program> conditions;
    private int[] positions = {};

    /**
     * @param conditions each is evaluated for the rows that passed those before
     * @param channels the block of a page that holds a column
     */
    public RowFilter(List<Expression> conditions, ToIntFunction<String> channels)
    {
        this.conditions = conditions.stream().map(condition -> new Program(condition, channels)).collect(toImmutableList());
    }

    /**
     * Returns how many rows pass. Fails as Trino does if a condition fails for a row.
     *
     * @see #positions
     */
    public int select(Page page)
    {
        int count = page.getPositionCount();
        if (positions.length < count) {
            positions = new int[count];
        }
        for (int row = 0; row < count; row++) {
            positions[row] = row;
        }
        Optional<int[]> rows = Optional.empty();
        for (Program condition : conditions) {
            count = keepTrue(condition.run(page, rows, count), count);
            rows = count == page.getPositionCount() ? Optional.empty() : Optional.of(positions);
        }
        return count;
    }

    private int keepTrue(Vector truth, int count)
    {
        int kept = 0;
        for (int row = 0; row < count; row++) {
            positions[kept] = positions[row];
            kept += truth.isTrue(row) ? 1 : 0;
        }
        return kept;
    }

    /** The rows that passed last, in their order; more may follow that mean nothing. They are overwritten by the next page. */
    public int[] positions()
    {
        return positions;
    }
}
