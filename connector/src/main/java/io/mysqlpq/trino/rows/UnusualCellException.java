package io.mysqlpq.trino.rows;

/** A cell that is not as MySQL usually sends its type: an invalid date, say. It tells no more, and costs no more. */
final class UnusualCellException
        extends Exception
{
    UnusualCellException()
    {
        super("Unusual cell", null, false, false);
    }
}
