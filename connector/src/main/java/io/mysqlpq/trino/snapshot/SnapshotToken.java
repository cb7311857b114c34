package io.mysqlpq.trino.snapshot;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Holds the secret by which a session of the same MySQL account reads in a snapshot. It is never shown.
 *
 * @param lendsTableLocks whether a session that adopts the snapshot gets the locks of its tables too; otherwise a reader locks them itself
 * before it adopts
 * @param isOfGroup whether several queries read in the snapshot
 * @param givesValidators whether the extension that lends the snapshot gives validators with what it scans
 */
public record SnapshotToken(@JsonProperty String value, @JsonProperty boolean lendsTableLocks, @JsonProperty boolean isOfGroup, @JsonProperty boolean givesValidators)
{
    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{32}");

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
