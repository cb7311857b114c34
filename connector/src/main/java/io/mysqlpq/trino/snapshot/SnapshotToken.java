package io.mysqlpq.trino.snapshot;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.mysqlpq.trino.protocol.ExtensionFeatures;

import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Holds the secret by which a session of the same MySQL account reads in a snapshot. It is never shown.
 *
 * @param isOfGroup whether several queries read in the snapshot
 * @param features of the extension that lends the snapshot
 */
public record SnapshotToken(@JsonProperty String value, @JsonProperty boolean isOfGroup, @JsonProperty ExtensionFeatures features)
{
    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{32}");

    public SnapshotToken
    {
        checkArgument(TOKEN.matcher(value).matches(), "not a snapshot token");
        requireNonNull(features, "features is null");
    }

    @Override
    public String toString()
    {
        return "(secret)";
    }
}
