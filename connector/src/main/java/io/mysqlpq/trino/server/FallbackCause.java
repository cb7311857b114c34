package io.mysqlpq.trino.server;

import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;

/** Says why the extension does not do what a scan could need. */
public enum FallbackCause
{
    NOT_INSTALLED("Install the extension in MySQL with INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so' (run doctor if that fails)"),
    DISABLED("Set mysql_pq_enabled to ON in MySQL"),
    UNKNOWN_PROTOCOL("Install the extension and the connector of one release"),
    UNKNOWN_ENCODING("Update the connector"),
    UNSUPPORTED_KEY("Give the table a key of the types in docs/key-types.md"),
    ACCESS_DENIED("Grant SELECT on the table to the connector's MySQL account"),
    TABLE_UNUSABLE("Run CHECK TABLE in MySQL"),
    REPLY_TOO_LARGE("Lower max_ranges_per_scan, or raise MySQL's max_allowed_packet"),
    LOCK_WAIT_TIMEOUT("Run the query again when the table is not locked"),
    SNAPSHOT_REFUSED("Run the query again later, or raise mysql_pq_max_snapshots or mysql_pq_max_history_length in MySQL"),
    /** The extension does not read all of the rows itself, and nobody else can read the ranges that were asked for. */
    SCAN_REFUSED("Leave the columns or filters that the message names out of the query"),
    /** A view, another engine, or an index that is gone. */
    NO_INDEX("Read an InnoDB table that has an index");

    private final String hint;

    FallbackCause(String hint)
    {
        this.hint = hint;
    }

    public String hint()
    {
        return hint;
    }

    /** Whether the table can probably be read without the extension, even by ranges. */
    public boolean leavesTableReadable()
    {
        return switch (this) {
            case NOT_INSTALLED, DISABLED, UNKNOWN_PROTOCOL, UNKNOWN_ENCODING, UNSUPPORTED_KEY, ACCESS_DENIED, REPLY_TOO_LARGE, SNAPSHOT_REFUSED, SCAN_REFUSED -> true;
            case TABLE_UNUSABLE, LOCK_WAIT_TIMEOUT, NO_INDEX -> false;
        };
    }

    static FallbackCause of(ExtensionError error)
    {
        return switch (error) {
            case NOT_INSTALLED, NOT_INSTALLED_WITHOUT_DATABASE -> NOT_INSTALLED;
            case DISABLED -> DISABLED;
            case UNSUPPORTED_KEY -> UNSUPPORTED_KEY;
            case UNUSABLE_TABLE, NO_SUCH_TABLE, NO_SUCH_SCHEMA -> TABLE_UNUSABLE;
            case TOO_LARGE -> REPLY_TOO_LARGE;
            case ACCESS_DENIED, COLUMN_ACCESS_DENIED, FUNCTION_ACCESS_DENIED -> ACCESS_DENIED;
            case VIEW, NOT_INNODB, NO_SUCH_INDEX -> NO_INDEX;
            case LOCK_WAIT_TIMEOUT -> LOCK_WAIT_TIMEOUT;
            case BAD_SNAPSHOT, HISTORY_TOO_LONG, NO_SUCH_SNAPSHOT, SNAPSHOT_EXPIRED, GAVE_WAY, TOO_MANY_SNAPSHOTS, TOO_MANY_SCANS -> SNAPSHOT_REFUSED;
        };
    }

    static FallbackCause of(UnsupportedReplyException exception)
    {
        return switch (exception.reason()) {
            case PROTOCOL -> UNKNOWN_PROTOCOL;
            case ENCODING -> UNKNOWN_ENCODING;
        };
    }
}
