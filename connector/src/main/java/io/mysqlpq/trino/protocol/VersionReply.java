package io.mysqlpq.trino.protocol;

import com.google.common.collect.ImmutableSet;

import java.util.Set;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.VERSION_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.checkProtocol;
import static java.util.Objects.requireNonNull;

/**
 * Decodes the reply of {@code mysql_pq_version()}.
 *
 * @param features what the extension knows, and older ones of the same protocol do not
 */
public record VersionReply(String extension, String serverVersion, boolean enabled, int maxRanges, Set<String> features)
{
    private static final String OFF_PAGE = "off_page";
    private static final String ADOPT_TABLES = "adopt_tables";
    private static final String AGGREGATE = "aggregate";
    private static final String VALIDATORS = "validators";

    public VersionReply
    {
        requireNonNull(extension, "extension is null");
        requireNonNull(serverVersion, "serverVersion is null");
        features = ImmutableSet.copyOf(features);
    }

    public boolean weighsOffPage()
    {
        return features.contains(OFF_PAGE);
    }

    /** Whether an adoption may name tables, whose locks the snapshot lends. */
    public boolean lendsTableLocks()
    {
        return features.contains(ADOPT_TABLES);
    }

    /** Whether a scan may compute expressions and groups. */
    public boolean aggregates()
    {
        return features.contains(AGGREGATE);
    }

    /** Whether a scan gives validators, and tells whether one of them still holds. */
    public boolean givesValidators()
    {
        return features.contains(VALIDATORS);
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
        return new VersionReply(fields.text("extension"), fields.text("server_version"), fields.truth("enabled"), maxRanges, ImmutableSet.copyOf(fields.textsIfPresent("features")));
    }
}
