package io.mysqlpq.trino.sharing;

import static java.util.Objects.requireNonNull;

/**
 * Names what a read gives: reads with equal keys give the same rows.
 *
 * @param snapshot the snapshot's secret, which only one MySQL account and one user of Trino have
 * @param read what is read of it, and how values become Trino's
 */
public record ReadKey(String snapshot, Object read)
{
    public ReadKey
    {
        requireNonNull(snapshot, "snapshot is null");
        requireNonNull(read, "read is null");
    }

    @Override
    public String toString()
    {
        return read.toString();
    }
}
