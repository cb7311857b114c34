package io.mysqlpq.trino.server;

/**
 * Holds what InnoDB's statistics say of a table.
 *
 * @param dataBytes of the clustered index
 * @param poolBytes of the server's buffer pool
 */
public record TableSize(long rows, long dataBytes, long poolBytes)
{
    /** Whether it fits into so small a share of the buffer pool that it probably is there. */
    public boolean isWithin(double share)
    {
        return dataBytes <= share * poolBytes;
    }
}
