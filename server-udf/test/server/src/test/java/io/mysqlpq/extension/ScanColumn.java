package io.mysqlpq.extension;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Knows how a column is asked for natively and by SQL, and makes the same text of a cell of either.
 *
 * @param sql text that MySQL makes of the column
 */
record ScanColumn(String name, String type, int precision, int scale, boolean unsigned, String layout, String sql)
{
    static List<ScanColumn> of(Session session, String table)
    {
        List<ScanColumn> columns = new ArrayList<>();
        try (Statement statement = session.connection().createStatement();
                ResultSet result = statement.executeQuery("""
                        SELECT column_name, data_type, COALESCE(numeric_precision, 0), COALESCE(numeric_scale, datetime_precision, 0), column_type LIKE '%%unsigned%%'
                        FROM information_schema.columns WHERE CONCAT(table_schema, '.', table_name) = '%s' AND generation_expression = '' ORDER BY ordinal_position
                        """.formatted(table))) {
            while (result.next()) {
                columns.add(of(result.getString(1), result.getString(2), result.getInt(3), result.getInt(4), result.getBoolean(5)));
            }
        }
        catch (SQLException e) {
            throw new AssertionError("Cannot list the columns of " + table, e);
        }
        return columns;
    }

    static ScanColumn of(String name, String type, int precision, int scale, boolean unsigned)
    {
        String quoted = "`" + name + "`";
        return switch (type) {
            case "tinyint" -> new ScanColumn(name, type, 0, 0, unsigned, unsigned ? "int16" : "int8", quoted);
            case "smallint" -> new ScanColumn(name, type, 0, 0, unsigned, unsigned ? "int32" : "int16", quoted);
            case "mediumint" -> new ScanColumn(name, type, 0, 0, unsigned, "int32", quoted);
            case "int" -> new ScanColumn(name, type, 0, 0, unsigned, unsigned ? "int64" : "int32", quoted);
            case "bigint" -> new ScanColumn(name, type, 0, 0, unsigned, unsigned ? "int128" : "int64", quoted);
            case "bit" -> new ScanColumn(name, type, 0, 0, true, "int128", quoted + " + 0");
            case "decimal" -> new ScanColumn(name, type, precision, scale, unsigned, precision <= 18 ? "int64" : "int128", "CAST(%s AS CHAR)".formatted(quoted));
            case "float" -> new ScanColumn(name, type, 0, 0, unsigned, "int32", "CAST(%s AS DOUBLE)".formatted(quoted));
            case "double" -> new ScanColumn(name, type, 0, 0, unsigned, "int64", quoted);
            case "date" -> new ScanColumn(name, type, 0, 0, false, "int32", "CAST(%s AS CHAR)".formatted(quoted));
            case "datetime", "timestamp" -> new ScanColumn(name, type, 0, scale, false, "int64", "CAST(%s AS CHAR)".formatted(quoted));
            case "year" -> new ScanColumn(name, type, 0, 0, true, "int32", quoted + " + 0");
            case "time" -> new ScanColumn(name, type, 0, scale, false, "int64", "TIME_TO_SEC(%1$s) * 1000000 + IF(%1$s < 0, -1, 1) * MICROSECOND(%1$s)".formatted(quoted));
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> new ScanColumn(name, type, 0, 0, false, "bytes", "HEX(%s)".formatted(quoted));
            default -> new ScanColumn(name, type, 0, 0, false, "bytes", "CONVERT(%s USING utf8mb4)".formatted(quoted));
        };
    }

    String option()
    {
        return "[\"%s\", \"%s\"]".formatted(name, layout);
    }

    /** Returns what {@link #sql} says of the same value. For a double and a float it is the same number. */
    String text(Object cell)
    {
        if (cell == null) {
            return null;
        }
        return switch (type) {
            case "decimal" -> new BigDecimal((BigInteger) cell, scale).toPlainString();
            case "float" -> Double.toString(Float.intBitsToFloat(((BigInteger) cell).intValueExact()));
            case "double" -> Double.toString(Double.longBitsToDouble(((BigInteger) cell).longValueExact()));
            case "date" -> date(((BigInteger) cell).intValueExact());
            case "datetime", "timestamp" -> datetime(((BigInteger) cell).longValueExact());
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> HexFormat.of().withUpperCase().formatHex((byte[]) cell);
            default -> cell instanceof byte[] bytes ? new String(bytes, UTF_8) : cell.toString();
        };
    }

    /** Normalizes what MySQL sent for {@link #sql}. */
    String normalized(String sent)
    {
        return sent != null && (type.equals("double") || type.equals("float")) ? Double.toString(Double.parseDouble(sent)) : sent;
    }

    private static String date(int days)
    {
        // Beyond any day: the three bytes of one that no calendar has.
        if (days < -1_000_000_000) {
            return storedDate(days - Integer.MIN_VALUE);
        }
        return LocalDate.ofEpochDay(days).toString();
    }

    private static String storedDate(int stored)
    {
        return "%04d-%02d-%02d".formatted(stored >> 9, stored >> 5 & 15, stored & 31);
    }

    private String datetime(long micros)
    {
        String fraction = scale == 0 ? "" : ".%06d".formatted(Math.floorMod(micros, 1_000_000)).substring(0, scale + 1);
        if (micros < -1_000_000_000_000_000_000L) {
            long stored = micros - Long.MIN_VALUE;
            long month = stored >> 22;
            // What it stands for is to the second.
            return "%04d-%02d-%02d %02d:%02d:%02d".formatted(month / 13, month % 13, stored >> 17 & 31, stored >> 12 & 31, stored >> 6 & 63, stored & 63)
                    + (scale == 0 ? "" : "." + "0".repeat(scale));
        }
        LocalDateTime time = LocalDateTime.ofEpochSecond(Math.floorDiv(micros, 1_000_000), 0, ZoneOffset.UTC);
        return "%s %02d:%02d:%02d%s".formatted(time.toLocalDate(), time.getHour(), time.getMinute(), time.getSecond(), fraction);
    }
}
