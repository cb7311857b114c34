package io.mysqlpq.cross.bench;

import java.sql.SQLException;

/**
 * Runs a case once.
 */
interface CaseRun
{
    /** @throws IllegalStateException if an answer is not the expected one */
    Work on(Side side)
            throws SQLException;
}
