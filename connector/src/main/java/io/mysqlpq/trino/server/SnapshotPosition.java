package io.mysqlpq.trino.server;

import static java.util.Objects.requireNonNull;

/**
 * Says what a snapshot has.
 *
 * @param gtidExecuted exactly the transactions whose rows it has, in MySQL's notation for sets of GTIDs
 * @param opened the server's time just before the snapshot was opened, in UTC, as MySQL writes it
 */
public record SnapshotPosition(String gtidExecuted, String opened)
{
    public SnapshotPosition
    {
        requireNonNull(gtidExecuted, "gtidExecuted is null");
        requireNonNull(opened, "opened is null");
    }
}
