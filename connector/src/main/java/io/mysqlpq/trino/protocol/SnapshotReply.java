package io.mysqlpq.trino.protocol;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_EXPORT_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.checkProtocol;
import static java.util.Objects.requireNonNull;

/** Decodes the reply of {@code mysql_pq_snapshot_export()}. The token is a secret. */
public record SnapshotReply(String token)
{
    public SnapshotReply
    {
        requireNonNull(token, "token is null");
    }

    public static SnapshotReply decode(String reply)
            throws UnsupportedReplyException
    {
        ReplyFields fields = ReplyFields.parse(SNAPSHOT_EXPORT_FUNCTION, reply);
        checkProtocol(fields);
        return new SnapshotReply(fields.text("token"));
    }

    @Override
    public String toString()
    {
        return "SnapshotReply[token=(secret)]";
    }
}
