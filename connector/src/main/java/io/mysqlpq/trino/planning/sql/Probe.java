package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;

import java.util.Optional;

/** Asks for the key nearest to a place in a cell. */
sealed interface Probe
{
    int cell();

    /** The first key of a part of the cell at or after a value, which need not be the value of any row. */
    record From(int cell, KeyRange range, Optional<KeyBound> value)
            implements Probe
    {}

    /** The last key of the cell. */
    record Last(int cell, KeyRange range)
            implements Probe
    {}

    /** The last key that begins with these values. */
    record LastWith(int cell, KeyBound values)
            implements Probe
    {}
}
