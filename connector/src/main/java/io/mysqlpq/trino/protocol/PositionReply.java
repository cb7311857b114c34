package io.mysqlpq.trino.protocol;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_POSITION_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.checkProtocol;
import static java.util.Objects.requireNonNull;

/**
 * Decodes the reply of {@code mysql_pq_snapshot_position()}.
 *
 * @param gtidExecuted the transactions whose rows the snapshot has, in MySQL's notation for sets of GTIDs
 */
public record PositionReply(String gtidExecuted)
{
    public PositionReply
    {
        requireNonNull(gtidExecuted, "gtidExecuted is null");
    }

    public static PositionReply decode(String reply)
            throws UnsupportedReplyException
    {
        ReplyFields fields = ReplyFields.parse(SNAPSHOT_POSITION_FUNCTION, reply);
        checkProtocol(fields);
        return new PositionReply(fields.text("gtid_executed"));
    }
}
