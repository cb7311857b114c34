package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.BinaryKeyValue;
import io.mysqlpq.trino.key.DateKeyValue;
import io.mysqlpq.trino.key.DatetimeKeyValue;
import io.mysqlpq.trino.key.DecimalKeyValue;
import io.mysqlpq.trino.key.DoubleKeyValue;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.TextKeyValue;
import io.mysqlpq.trino.key.TimeKeyValue;

import java.math.BigDecimal;

import static java.util.Locale.ENGLISH;

/** Writes a key column as SQL that gives its value as plain text, and reads that text. */
final class KeyText
{
    private KeyText()
    {}

    static String select(KeyColumn column, String quotedName)
    {
        return switch (column.encoding()) {
            // The number of a YEAR, a BIT or a member of an ENUM.
            case INTEGER -> quotedName + " + 0";
            // All digits, also of a FLOAT.
            case DOUBLE -> "CAST(%s AS DOUBLE)".formatted(quotedName);
            // As text, since the driver refuses some dates.
            case DATE, DATETIME, TIME -> "CAST(%s AS CHAR)".formatted(quotedName);
            // CAST would cut off the last digit of a DECIMAL(30,30).
            case DECIMAL -> quotedName;
            case BINARY, TEXT -> "LOWER(HEX(%s))".formatted(indexed(column, quotedName));
        };
    }

    /** Writes SQL that sorts as the column does, even in a temporary table, which may refuse dates that the table holds. */
    static String sort(KeyColumn column, String quotedName)
    {
        return switch (column.encoding()) {
            case INTEGER, DATE, DATETIME -> select(column, quotedName);
            case DECIMAL, DOUBLE, TIME -> quotedName;
            case BINARY, TEXT -> indexed(column, quotedName);
        };
    }

    // Writes SQL for what the index holds. A whole value may be longer than any key, and would have to be fetched from elsewhere.
    private static String indexed(KeyColumn column, String quotedName)
    {
        return column.prefixLength().isPresent() ? "LEFT(%s, %s)".formatted(quotedName, column.prefixLength().getAsInt()) : quotedName;
    }

    static KeyValue parse(KeyColumn column, String text)
    {
        return switch (column.encoding()) {
            case INTEGER -> IntegerKeyValue.of(new BigDecimal(text).toBigIntegerExact());
            // ZEROFILL puts zeros in front.
            case DECIMAL -> new DecimalKeyValue(new BigDecimal(text).toPlainString());
            case DOUBLE -> of(Double.parseDouble(text));
            case DATE -> new DateKeyValue(text);
            case DATETIME -> new DatetimeKeyValue(text);
            case TIME -> new TimeKeyValue(text);
            case BINARY -> new BinaryKeyValue(text);
            case TEXT -> new TextKeyValue(text);
        };
    }

    static DoubleKeyValue of(double number)
    {
        // There is one zero.
        return new DoubleKeyValue(String.format(ENGLISH, "%.16e", number + 0.0));
    }
}
