package io.mysqlpq.trino.protocol;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_COVERS_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.checkProtocol;

/** Decodes the reply of {@code mysql_pq_snapshot_covers(...)}. */
public record CoversReply(boolean covers)
{
    public static CoversReply decode(String reply)
            throws UnsupportedReplyException
    {
        ReplyFields fields = ReplyFields.parse(SNAPSHOT_COVERS_FUNCTION, reply);
        checkProtocol(fields);
        return new CoversReply(fields.truth("covers"));
    }
}
