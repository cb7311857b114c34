package io.mysqlpq.trino.snapshot;

/** Names what the scans of a query see together. */
public enum SnapshotMode
{
    /** EXACT where the server has the extension, otherwise PER_SCAN. */
    AUTO,
    /** All scans of a query see one moment, or the query fails. */
    EXACT,
    /** Each scan is one statement and sees a moment of its own, as in Trino's MySQL connector. */
    PER_SCAN,
    /** Each range sees a moment of its own: only for data that nobody writes. */
    NONE,
    /**/;

    /** Whether scans share a snapshot where the server lends one. */
    public boolean isShared()
    {
        return this == AUTO || this == EXACT;
    }
}
