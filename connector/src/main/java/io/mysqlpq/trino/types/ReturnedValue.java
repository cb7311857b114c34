package io.mysqlpq.trino.types;

import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.Optional;

/** Says how the value that a column has in MySQL is compared with the one that Trino read and sent back. */
public enum ReturnedValue
{
    /** The values themselves are compared. */
    VALUE,
    /** As VALUE, but a date that no calendar has may have been read as NULL, and then stands for NULL. */
    CALENDAR,
    /** MySQL may have rounded the value that it sent, to the text that it still gives. */
    FLOAT,
    JSON,
    /** SHA-256 of the UTF-8 text stands for the value. */
    TEXT,
    /** As TEXT, but Trino has no blanks at the end. */
    CHAR,
    /** SHA-256 of the bytes stands for the value. */
    BYTES;

    // jdbc-types-mapped-to-varchar may name any type.
    Optional<ReturnedValue> unlessText(Type type)
    {
        return type instanceof VarcharType ? Optional.empty() : Optional.of(this);
    }
}
