package io.mysqlpq.trino.protocol;

import com.google.common.collect.ImmutableSet;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.VERSION_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.checkProtocol;
import static java.util.Objects.requireNonNull;

/** Decodes the reply of {@code mysql_pq_version()}. */
public record VersionReply(String extension, String serverVersion, boolean enabled, int maxRanges, ExtensionFeatures features)
{
    public VersionReply
    {
        requireNonNull(extension, "extension is null");
        requireNonNull(serverVersion, "serverVersion is null");
        requireNonNull(features, "features is null");
    }

    public static VersionReply decode(String reply)
            throws UnsupportedReplyException
    {
        ReplyFields fields = ReplyFields.parse(VERSION_FUNCTION, reply);
        checkProtocol(fields);
        int maxRanges = fields.number("max_ranges");
        if (maxRanges < 1) {
            throw fields.malformed("max_ranges is " + maxRanges, null);
        }
        return new VersionReply(fields.text("extension"), fields.text("server_version"), fields.truth("enabled"), maxRanges, new ExtensionFeatures(ImmutableSet.copyOf(fields.textsIfPresent("features"))));
    }
}
