package io.mysqlpq.trino.cells;

/** Signals a cell that MySQL seldom sends for its type, such as an invalid date. It has no stack trace, so it costs little. */
public final class UnusualCellException
        extends Exception
{
    UnusualCellException()
    {
        super("Unusual cell", null, false, false);
    }
}
