package io.mysqlpq.trino.protocol;

import java.util.regex.Pattern;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_EXPORT_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.checkProtocol;
import static java.util.Objects.requireNonNull;

/** Decodes the reply of {@code mysql_pq_snapshot_export()}. The token is a secret. */
public record SnapshotReply(String token)
{
    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{32}");

    public SnapshotReply
    {
        requireNonNull(token, "token is null");
    }

    public static SnapshotReply decode(String reply)
            throws UnsupportedReplyException
    {
        ReplyFields fields = ReplyFields.parse(SNAPSHOT_EXPORT_FUNCTION, reply);
        checkProtocol(fields);
        String token = fields.text("token");
        if (!TOKEN.matcher(token).matches()) {
            throw fields.malformed("token is not 32 hex digits", null);
        }
        return new SnapshotReply(token);
    }

    @Override
    public String toString()
    {
        return "SnapshotReply[token=(secret)]";
    }
}
