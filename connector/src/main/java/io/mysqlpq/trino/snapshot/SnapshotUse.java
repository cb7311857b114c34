package io.mysqlpq.trino.snapshot;

/** Says what a snapshot is opened for. */
enum SnapshotUse
{
    ONE_QUERY,
    GROUP,
    /** It tells which transactions it has. */
    GROUP_WITH_POSITION;

    boolean isOfGroup()
    {
        return this != ONE_QUERY;
    }
}
