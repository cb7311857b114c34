package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;

import java.util.Optional;

/** Asks for the key nearest to a place in a part. */
sealed interface Probe
{
    int part();

    /** The first key of the part at or after a value. No row need have that value. */
    record From(int part, KeyRange range, Optional<KeyBound> value)
            implements Probe
    {}

    /** The last key of the part. */
    record Last(int part, KeyRange range)
            implements Probe
    {}

    /** The last key that begins with these values. */
    record LastWith(int part, KeyBound values)
            implements Probe
    {}
}
