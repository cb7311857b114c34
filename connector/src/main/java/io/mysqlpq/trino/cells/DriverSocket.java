package io.mysqlpq.trino.cells;

import com.mysql.cj.NativeSession;
import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.jdbc.ServerPreparedStatement;
import com.mysql.cj.jdbc.StatementImpl;
import com.mysql.cj.jdbc.result.ResultSetImpl;
import com.mysql.cj.protocol.FullReadInputStream;
import com.mysql.cj.protocol.SocketConnection;
import com.mysql.cj.protocol.a.CompressedInputStream;
import com.mysql.cj.protocol.a.result.ByteArrayRow;
import com.mysql.cj.protocol.a.result.ResultsetRowsStatic;
import com.mysql.cj.protocol.a.result.ResultsetRowsStreaming;
import com.mysql.cj.result.Field;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.cells.DriverPackets.isDriverAskedForMore;
import static java.util.Objects.requireNonNull;

/**
 * Takes the socket over from the driver at a result set's first row, and hands it back at the packet after the last one.
 *
 * <p>The driver keeps everything else: logging in, encryption, compression, the statement, what columns there are, and errors.
 */
public final class DriverSocket
        implements PacketSource
{
    private static final String CONNECTION_LOST = "08S01";

    private final ResultSetImpl rows;
    private final JdbcConnection connection;
    private final StatementImpl statement;
    private final SocketConnection socket;
    private final FullReadInputStream input;
    private final boolean compressed;

    private DriverSocket(ResultSetImpl rows, JdbcConnection connection, StatementImpl statement, SocketConnection socket, FullReadInputStream input)
    {
        this.rows = requireNonNull(rows, "rows is null");
        this.connection = requireNonNull(connection, "connection is null");
        this.statement = requireNonNull(statement, "statement is null");
        this.socket = requireNonNull(socket, "socket is null");
        this.input = requireNonNull(input, "input is null");
        this.compressed = input.getUnderlyingStream() instanceof CompressedInputStream;
    }

    /** Takes the socket over. Empty if the driver has read the rows already, reads them in MySQL's binary form, pads them, or counts their packets. */
    public static Optional<DriverSocket> of(ResultSet result)
            throws SQLException
    {
        Statement creator = result.getStatement();
        if (!result.isWrapperFor(ResultSetImpl.class) || !creator.isWrapperFor(StatementImpl.class) || creator.isWrapperFor(ServerPreparedStatement.class)) {
            return Optional.empty();
        }
        ResultSetImpl rows = result.unwrap(ResultSetImpl.class);
        JdbcConnection connection = creator.getConnection().unwrap(JdbcConnection.class);
        if (!(rows.getRows() instanceof ResultsetRowsStreaming<?>) || !(connection.getSession() instanceof NativeSession session) || isDriverAskedForMore(connection)) {
            return Optional.empty();
        }
        SocketConnection socket = session.getProtocol().getSocketConnection();
        try {
            return Optional.of(new DriverSocket(rows, connection, creator.unwrap(StatementImpl.class), socket, socket.getMysqlInput()));
        }
        catch (IOException e) {
            throw lost(e);
        }
    }

    public Field[] fields()
    {
        return rows.getColumnDefinition().getFields();
    }

    @Override
    public int read(byte[] buffer, int offset, int needed, int room)
            throws SQLException
    {
        try {
            // A compressed stream waits for all that it is asked for.
            int read = input.read(buffer, offset, compressed ? needed : room);
            if (read <= 0) {
                throw new SQLNonTransientConnectionException("MySQL closed the connection in the midst of a result", CONNECTION_LOST);
            }
            return read;
        }
        catch (IOException e) {
            throw lost(e);
        }
    }

    private static SQLException lost(IOException cause)
    {
        return new SQLNonTransientConnectionException("Communications link failure: " + cause.getMessage(), CONNECTION_LOST, cause);
    }

    // The driver reads that packet, so that it too knows the result's end.
    @Override
    public void handBack(byte[] buffer, int offset, int length)
            throws SQLException
    {
        socket.setMysqlInput(new FullReadInputStream(new SequenceInputStream(new ByteArrayInputStream(buffer, offset, length), input)));
        try {
            if (rows.next()) {
                throw new SQLNonTransientConnectionException("The driver finds a row after the last one", CONNECTION_LOST);
            }
        }
        finally {
            socket.setMysqlInput(input);
        }
    }

    /** Makes a result set of these cells, by row and column, as the driver would give them. Cells that nobody asks for may be missing. */
    public ResultSet resultSet(byte[][][] cells)
            throws SQLException
    {
        List<ByteArrayRow> decoded = Arrays.stream(cells).map(row -> new ByteArrayRow(row, null)).toList();
        return new ResultSetImpl(new ResultsetRowsStatic(decoded, rows.getColumnDefinition()), connection, statement);
    }
}
