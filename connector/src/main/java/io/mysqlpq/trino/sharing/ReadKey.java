package io.mysqlpq.trino.sharing;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Names what a read gives: reads with equal keys give the same rows, as long as what they read does not change.
 *
 * @param snapshot the secret of a snapshot that other queries read in too, which only one MySQL account and one user of Trino have. In it nothing
 * changes. Empty if the query reads in a snapshot of its own
 * @param read what is read, and how values become Trino's
 * @param bytes that this takes in memory, by an estimate; what is equal may take more or less
 */
public record ReadKey(Optional<String> snapshot, Object read, long bytes)
{
    public ReadKey
    {
        requireNonNull(snapshot, "snapshot is null");
        requireNonNull(read, "read is null");
    }

    /** Returns the key of what was read of this in whatever snapshot. */
    ReadKey inAnySnapshot()
    {
        return new ReadKey(Optional.empty(), read, bytes);
    }

    @Override
    public boolean equals(Object other)
    {
        return other instanceof ReadKey key && key.snapshot.equals(snapshot) && key.read.equals(read);
    }

    @Override
    public int hashCode()
    {
        return 31 * snapshot.hashCode() + read.hashCode();
    }

    @Override
    public String toString()
    {
        return read.toString();
    }
}
