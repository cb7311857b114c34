package io.mysqlpq.trino.cells;

/** A cell that is not as MySQL usually sends its type: an invalid date, say. It tells no more, and costs no more. */
public final class UnusualCellException
        extends Exception
{
    UnusualCellException()
    {
        super("Unusual cell", null, false, false);
    }
}
