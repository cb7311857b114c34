package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.server.TableSize;

/**
 * Compares the cost of a native scan of a whole table with that of reading a part of it, or of an index, by SQL.
 *
 * <p>The unit is nanoseconds of CPU of MySQL and Trino together, measured with TPC-H's tables (docs/decisions/native-scan.md).
 */
final class NativeCost
{
    private static final double ROW = 20;
    private static final double BYTE = 0.15;
    private static final double SQL_ROW = 250;
    // The row is found by an index, and looked up. That takes 1.2 µs in lineitem by its dates of shipping, near which rows stand together, and 3.8 µs
    // in orders by their dates, which are as good as random.
    private static final double SQL_LOOKUP = 2_000;
    // The cost of planning ranges, and of sending a statement for each.
    private static final double RANGES = 5_000_000;
    // InnoDB's default.
    private static final double PAGE_BYTES = 16_384;

    private NativeCost()
    {}

    /** @param scan how MySQL would read it, by a secondary index or by some keys of its rows */
    static boolean isLess(TableSize table, ExplainedScan scan)
    {
        double bySql = scan.rows() * (scan.looksRowsUp() ? SQL_LOOKUP : SQL_ROW);
        return RANGES + table.rows() * ROW + table.dataBytes() * BYTE < bySql;
    }

    /**
     * Whether looking up rows that stand anywhere would read more pages from disk than the table has. To read these in their order never costs more than
     * to read as many here and there.
     *
     * @param poolShare the part of the buffer pool that is taken to hold the table's pages
     */
    static boolean readsMorePages(TableSize table, ExplainedScan scan, double poolShare)
    {
        double pages = table.dataBytes() / PAGE_BYTES;
        double missing = 1 - poolShare * table.poolBytes() / table.dataBytes();
        return scan.looksRowsUp() && scan.rows() * missing > pages;
    }
}
