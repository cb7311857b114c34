package io.mysqlpq.trino.planning.sql;

/**
 * Corrects InnoDB's estimates of how many rows a range has.
 *
 * <p>InnoDB counts the rows of up to ten pages. Beyond that it takes an average, and then doubles it
 * (btr_estimate_n_rows_in_range_low in btr0cur.cc), so that ranges on both sides of that size do not compare.
 *
 * @param rowsPerPage 0 if unknown
 */
record RowEstimates(double rowsPerPage)
{
    // A counted range has less than 12 pages, a doubled estimate is 20 pages or more.
    private static final int PAGES_COUNTED = 15;

    double corrected(long estimate)
    {
        return rowsPerPage > 0 && estimate > PAGES_COUNTED * rowsPerPage ? estimate / 2.0 : estimate;
    }
}
