package io.mysqlpq.trino.load;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

import static java.util.Locale.ROOT;
import static java.util.Objects.requireNonNull;

/**
 * A prepared INSERT whose rows come as batches, as {@link io.trino.plugin.jdbc.JdbcPageSink} uses it: the methods that set a parameter,
 * {@code addBatch}, {@code executeBatch} and {@code close}. Other methods fail.
 *
 * <p>The functions that write a value of a type to a {@link PreparedStatement} stay what they are. Only the driver's part is done here, by
 * statements of a size that costs MySQL and Trino less memory.
 */
final class RowStatement
        implements InvocationHandler
{
    // INSERT drops the sign of a zero, and LOAD DATA keeps it.
    private static final String ZERO = "0.0";
    private static final DateTimeFormatter DATETIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", ROOT);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", ROOT);

    private enum Unset
    {
        UNSET,
    }

    private final RowSender sender;
    private final long bufferLimit;
    private final RowBuffer rows;
    private final Object[] values;

    private RowStatement(RowSender sender, int parameters, long bufferLimit)
    {
        this.sender = requireNonNull(sender, "sender is null");
        this.bufferLimit = bufferLimit;
        this.rows = new RowBuffer(parameters);
        this.values = new Object[parameters];
        Arrays.fill(values, Unset.UNSET);
    }

    /** @param bufferLimit bytes of rows that wait to be sent. They are sent earlier than {@code executeBatch} then */
    static PreparedStatement create(RowSender sender, int parameters, long bufferLimit)
    {
        return (PreparedStatement) Proxy.newProxyInstance(
                RowStatement.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                new RowStatement(sender, parameters, bufferLimit));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments)
            throws SQLException
    {
        switch (method.getName()) {
            case "setNull" -> values[(int) arguments[0] - 1] = null;
            case "setBoolean", "setByte", "setShort", "setInt", "setLong", "setFloat", "setDouble", "setBigDecimal", "setString", "setBytes", "setObject" -> values[(int) arguments[0] - 1] = arguments[1];
            case "addBatch" -> addRow();
            case "executeBatch" -> {
                send();
                return new int[0];
            }
            case "close" -> rows.clear();
            default -> throw new SQLFeatureNotSupportedException(method.toString());
        }
        return null;
    }

    private void addRow()
            throws SQLException
    {
        for (int i = 0; i < values.length; i++) {
            add(i + 1, values[i]);
            values[i] = Unset.UNSET;
        }
        if (rows.size() >= bufferLimit) {
            send();
        }
    }

    // What JDBC promises of a batch that fails, and what writers make messages of.
    private void send()
            throws BatchUpdateException
    {
        try {
            sender.send(rows);
        }
        catch (SQLException e) {
            throw new BatchUpdateException(e.getMessage(), e.getSQLState(), e.getErrorCode(), new int[0], e);
        }
        rows.clear();
    }

    private void add(int parameter, Object value)
            throws SQLException
    {
        switch (value) {
            case null -> rows.addNull();
            case Long number -> rows.add(number);
            case Integer number -> rows.add(number);
            case String text -> rows.addText(text);
            case BigDecimal number -> rows.addNumber(number.toPlainString());
            case Short number -> rows.add(number);
            case Byte number -> rows.add(number);
            case Boolean truth -> rows.add(truth ? 1 : 0);
            case Double number -> rows.addNumber(number == 0 ? ZERO : finite(number, Double.toString(number)));
            case Float number -> rows.addNumber(number == 0 ? ZERO : finite(number, Float.toString(number)));
            case byte[] bytes -> rows.addBytes(bytes);
            case LocalDateTime datetime -> rows.addText(DATETIME.format(datetime));
            case LocalTime time -> rows.addText(TIME.format(time));
            case Unset _ -> throw new SQLException("No value is set for parameter %s".formatted(parameter));
            default -> throw new SQLFeatureNotSupportedException("Parameter %s: %s".formatted(parameter, value.getClass()));
        }
    }

    private static String finite(double number, String text)
            throws SQLException
    {
        if (!Double.isFinite(number)) {
            throw new SQLException("'%s' is not a valid numeric or approximate numeric value".formatted(text));
        }
        return text;
    }
}
