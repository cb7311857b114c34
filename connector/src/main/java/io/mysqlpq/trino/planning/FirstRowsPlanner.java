package io.mysqlpq.trino.planning;

import io.trino.plugin.jdbc.JdbcTableHandle;

import static java.lang.Math.max;

/**
 * Decides who finds the first rows of a scan that has a limit (docs/decisions/first-rows.md).
 *
 * <p>MySQL reads a statement in one thread. That is the least work where the statement ends early: without a filter, in the order of an
 * index, or if the filter lets many rows through. Ranges read the others.
 */
public final class FirstRowsPlanner
{
    // MySQL guesses 10 % for a comparison with one value, and 33 % for a comparison with a range, if it knows no better. A wrong guess that is too
    // low costs some 50 ms. One that is too high costs the parallel read of a whole table.
    private static final double MOST_PASSING = 0.2;
    // MySQL reads and sorts fewer in some 6 ms, whatever the rows of a split. Ranges take some 40 ms more than one statement.
    private static final long FEWEST_ROWS = 25_000;
    // Each range sends at most a tenth of what a split reads.
    private static final int LEAST_ROWS_OF_RANGE_PER_ROW_SENT = 10;
    // Without a network between MySQL and Trino it is faster for any number of columns. A network has to carry them all.
    private static final int MOST_COLUMNS_SENT = 6;

    private FirstRowsPlanner()
    {}

    /**
     * @param table without the limit
     * @param options of the table without it
     */
    public static FirstRowsReader limit(QueryScans scans, JdbcTableHandle table, PlanningOptions options)
    {
        boolean filtered = !table.getConstraint().isAll() || !table.getConstraintExpressions().isEmpty();
        return filtered
                && isLarge(scans, table, options)
                && !scans.decide(table, options).isWhole()
                && scans.explain(table).passing() < MOST_PASSING ? FirstRowsReader.TRINO : FirstRowsReader.ONE_STATEMENT;
    }

    /**
     * @param table without order and limit
     * @param first with both
     * @param ordered whether the extension, if it reads the rows, can order them so
     * @param options of the table without them
     */
    public static FirstRowsReader topN(QueryScans scans, JdbcTableHandle table, JdbcTableHandle first, boolean ordered, PlanningOptions options)
    {
        if (!isLarge(scans, table, options)) {
            return FirstRowsReader.ONE_STATEMENT;
        }
        AccessPath path = scans.decide(table, options);
        if (path.isWhole() || !scans.explain(first).keepsGroups()) {
            return FirstRowsReader.ONE_STATEMENT;
        }
        boolean areFew = first.getLimit().getAsLong() <= options.targetRowsPerSplit() / LEAST_ROWS_OF_RANGE_PER_ROW_SENT;
        if (areFew && ordered && scans.decide(first, options.ofFirstRows(true)).natively()) {
            return FirstRowsReader.EACH_RANGE_NATIVELY;
        }
        if (path.natively() && ReadColumns.of(table).size() <= MOST_COLUMNS_SENT) {
            return FirstRowsReader.TRINO;
        }
        return areFew && !scans.decide(first, options.ofFirstRows(false)).isWhole()
                ? FirstRowsReader.EACH_RANGE
                : FirstRowsReader.ONE_STATEMENT;
    }

    private static boolean isLarge(QueryScans scans, JdbcTableHandle table, PlanningOptions options)
    {
        return scans.size(QueryScans.nameOf(table)).filter(size -> size.rows() > max(FEWEST_ROWS, options.targetRowsPerSplit())).isPresent();
    }
}
