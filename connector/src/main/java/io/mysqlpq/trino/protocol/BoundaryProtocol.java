package io.mysqlpq.trino.protocol;

import static io.mysqlpq.trino.protocol.UnsupportedReplyException.Reason.PROTOCOL;

/** Holds the SQL text of the extension's functions and the one protocol number that this connector speaks. */
public final class BoundaryProtocol
{
    public static final String VERSION_FUNCTION = "mysql_pq_version";
    public static final String RANGES_FUNCTION = "mysql_pq_ranges";
    public static final String DEFINITION_FUNCTION = "mysql_pq_definition";

    public static final String VERSION_SQL = "SELECT " + VERSION_FUNCTION + "()";
    /** Parameters: schema, table, index, count, options as JSON or NULL. */
    public static final String RANGES_SQL = "SELECT " + RANGES_FUNCTION + "(?, ?, ?, ?, ?)";
    /** Parameters: schema, table, index. */
    public static final String DEFINITION_SQL = "SELECT " + DEFINITION_FUNCTION + "(?, ?, ?)";

    private static final int PROTOCOL_NUMBER = 1;

    private BoundaryProtocol()
    {}

    static void checkProtocol(ReplyFields reply)
            throws UnsupportedReplyException
    {
        int protocol = reply.number("protocol");
        if (protocol != PROTOCOL_NUMBER) {
            throw new UnsupportedReplyException(PROTOCOL, "the extension speaks protocol %d and this connector %d".formatted(protocol, PROTOCOL_NUMBER));
        }
    }
}
