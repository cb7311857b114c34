package io.mysqlpq.trino.snapshot;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;

/** Holds the secret by which a session of the same MySQL account reads in a snapshot. Never shown. */
public record SnapshotToken(@JsonValue String value)
{
    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{32}");

    @JsonCreator
    public SnapshotToken
    {
        checkArgument(TOKEN.matcher(value).matches(), "not a snapshot token");
    }

    @Override
    public String toString()
    {
        return "(secret)";
    }
}
