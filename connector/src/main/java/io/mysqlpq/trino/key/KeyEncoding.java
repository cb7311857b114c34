package io.mysqlpq.trino.key;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Names the ways in which the boundary protocol writes a key value. */
public enum KeyEncoding
{
    /** Decimal digits, with a minus sign in front of a negative number. */
    INTEGER,
    /** Decimal digits with a point and a fixed number of digits behind it. */
    DECIMAL,
    /** The digits of a floating-point number, with an exponent. */
    DOUBLE,
    /** Year, month and day, of which MySQL lets the last two be zero. */
    DATE,
    /** A date and a time of day with a fixed number of fraction digits, of a TIMESTAMP in UTC. */
    DATETIME,
    /** Hours, which may be negative and more than a day, to fraction digits. */
    TIME,
    /** Lower-case hex of the bytes. */
    BINARY,
    /** Lower-case hex of the bytes, in the column's character set. */
    TEXT;

    public static Optional<KeyEncoding> fromProtocol(String name)
    {
        return Arrays.stream(values())
                .filter(encoding -> encoding.name().toLowerCase(Locale.ENGLISH).equals(name))
                .findFirst();
    }
}
