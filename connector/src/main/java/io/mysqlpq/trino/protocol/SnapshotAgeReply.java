package io.mysqlpq.trino.protocol;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.checkProtocol;

/** Decodes the reply of {@code mysql_pq_snapshot_adopt(...)} and {@code mysql_pq_snapshot_verify(...)}. */
public record SnapshotAgeReply(long ageMillis)
{
    public static SnapshotAgeReply decode(String function, String reply)
            throws UnsupportedReplyException
    {
        ReplyFields fields = ReplyFields.parse(function, reply);
        checkProtocol(fields);
        return new SnapshotAgeReply(fields.longNumber("age_ms"));
    }
}
