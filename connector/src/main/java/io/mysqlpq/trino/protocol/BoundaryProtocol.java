package io.mysqlpq.trino.protocol;

import static io.mysqlpq.trino.protocol.UnsupportedReplyException.Reason.PROTOCOL;

/** Holds the SQL text of the extension's functions and the one protocol number that this connector speaks. */
public final class BoundaryProtocol
{
    /** The release of the extension that has this connector's version and speaks its protocol. */
    public static final String EXTENSION_VERSION = "0.2.0";

    public static final String VERSION_FUNCTION = "mysql_pq_version";
    public static final String RANGES_FUNCTION = "mysql_pq_ranges";
    public static final String DEFINITION_FUNCTION = "mysql_pq_definition";

    public static final String VERSION_SQL = "SELECT " + VERSION_FUNCTION + "()";
    /** Parameters: schema, table, index, count, options as JSON or NULL. */
    public static final String RANGES_SQL = "SELECT " + RANGES_FUNCTION + "(?, ?, ?, ?, ?)";
    /** Parameters: schema, table, index. */
    public static final String DEFINITION_SQL = "SELECT " + DEFINITION_FUNCTION + "(?, ?, ?)";

    public static final String SNAPSHOT_EXPORT_FUNCTION = "mysql_pq_snapshot_export";
    public static final String SNAPSHOT_ADOPT_FUNCTION = "mysql_pq_snapshot_adopt";
    public static final String SNAPSHOT_VERIFY_FUNCTION = "mysql_pq_snapshot_verify";
    public static final String SNAPSHOT_COVERS_FUNCTION = "mysql_pq_snapshot_covers";

    public static final String SNAPSHOT_EXPORT_SQL = "SELECT " + SNAPSHOT_EXPORT_FUNCTION + "()";
    public static final String SNAPSHOT_POSITION_FUNCTION = "mysql_pq_snapshot_position";
    /** Has the time before the call in a second column. */
    public static final String SNAPSHOT_POSITION_SQL = "SELECT " + SNAPSHOT_POSITION_FUNCTION + "(), UTC_TIMESTAMP(3)";
    /** The same for a snapshot that waits for transactions. Parameters: set of GTIDs, milliseconds. */
    public static final String SNAPSHOT_AWAITED_POSITION_SQL = "SELECT " + SNAPSHOT_POSITION_FUNCTION + "(?, ?), UTC_TIMESTAMP(3)";
    private static final String SNAPSHOT_ADOPT_SQL = "SELECT " + SNAPSHOT_ADOPT_FUNCTION + "(?%s)";
    /** Parameter: token. */
    public static final String SNAPSHOT_VERIFY_SQL = "SELECT " + SNAPSHOT_VERIFY_FUNCTION + "(?)";
    /** Parameters: schema, table, in how many sessions it will be read to the end. */
    public static final String SNAPSHOT_EXPECT_SQL = "SELECT mysql_pq_snapshot_expect(?, ?, ?)";
    /** Parameters: schema, table. */
    public static final String SNAPSHOT_COVERS_SQL = "SELECT " + SNAPSHOT_COVERS_FUNCTION + "(?, ?)";

    public static final String SCAN_FUNCTION = "mysql_pq_scan";
    /** Parameters: schema, table, index, token, options as JSON, JSON array with an element for each batch that may come. */
    public static final String SCAN_SQL = "SELECT " + SCAN_FUNCTION + "(?, ?, ?, ?, ?) FROM JSON_TABLE(?, '$[*]' COLUMNS (batch FOR ORDINALITY)) batches";
    /** The same, with a parameter for the validator behind the options. */
    public static final String VALIDATED_SCAN_SQL = SCAN_SQL.replace("?)", "?, ?)");

    private static final int PROTOCOL_NUMBER = 1;

    private BoundaryProtocol()
    {}

    /** Parameters: token, and schema and name of each of the tables whose locks the snapshot is to lend. */
    public static String snapshotAdoptSql(int tables)
    {
        return SNAPSHOT_ADOPT_SQL.formatted(", ?, ?".repeat(tables));
    }

    static void checkProtocol(ReplyFields reply)
            throws UnsupportedReplyException
    {
        int protocol = reply.number("protocol");
        if (protocol != PROTOCOL_NUMBER) {
            throw new UnsupportedReplyException(PROTOCOL, "the extension speaks protocol %d and this connector %d".formatted(protocol, PROTOCOL_NUMBER));
        }
    }
}
