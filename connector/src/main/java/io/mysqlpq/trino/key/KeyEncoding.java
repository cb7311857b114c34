package io.mysqlpq.trino.key;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Names the ways in which the boundary protocol writes a key value. */
public enum KeyEncoding
{
    /** Decimal digits, with a minus sign in front of a negative number. */
    INTEGER,
    /** Lower-case hex of the bytes, in the column's character set. */
    TEXT;

    public static Optional<KeyEncoding> fromProtocol(String name)
    {
        return Arrays.stream(values())
                .filter(encoding -> encoding.name().toLowerCase(Locale.ENGLISH).equals(name))
                .findFirst();
    }
}
