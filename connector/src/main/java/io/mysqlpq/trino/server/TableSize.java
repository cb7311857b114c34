package io.mysqlpq.trino.server;

/**
 * Holds what InnoDB's statistics say of a table.
 *
 * @param dataBytes of the clustered index
 * @param poolBytes of the server's buffer pool
 */
public record TableSize(long rows, long dataBytes, long poolBytes)
{
    /** Whether the table fits into this share of the buffer pool. It should be so small that the table probably is there. */
    public boolean isWithin(double share)
    {
        return dataBytes <= share * poolBytes;
    }
}
