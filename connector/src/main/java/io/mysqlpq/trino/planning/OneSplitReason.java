package io.mysqlpq.trino.planning;

import java.util.Locale;

/** Says why a scan is one split. */
public enum OneSplitReason
{
    PARALLEL_READS_OFF,
    RANGE_SOURCE_NONE,
    /** Each scan sees its own moment, the moment of its one statement. */
    SNAPSHOT_PER_SCAN,
    /** A pushed join or aggregation, or SQL that the user wrote: a range put around it would filter outside. */
    PUSHED_QUERY,
    /** MySQL ends the scan itself; several splits would each read that many rows. */
    LIMIT,
    /** Equality on all columns of a unique index, or a filter that MySQL knows to match nothing. */
    POINT_LOOKUP,
    SMALL_TABLE,
    NOT_A_TABLE,
    /** MySQL finds the rows by an index that the filter is on, and expects no more than one split should have. */
    SELECTIVE_INDEX,
    /** The table has neither a primary key nor a unique key in its place, and no other index that holds all that is read. */
    NO_PRIMARY_KEY,
    /** MySQL reads no ranges by the key's first column, or none that it reads right: see docs/key-types.md. */
    KEY_WITHOUT_RANGES,
    NO_RANGES_FROM_EXTENSION,
    /** The extension lends no snapshot, and the ranges may not each see their own moment. */
    NO_SHARED_SNAPSHOT,
    /** The user may not read the key's columns. */
    KEY_NOT_READABLE;

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ENGLISH).replace('_', ' ');
    }
}
