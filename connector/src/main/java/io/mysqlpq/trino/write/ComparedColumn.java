package io.mysqlpq.trino.write;

import com.google.common.hash.Hashing;
import io.airlift.slice.Slice;
import io.mysqlpq.trino.types.MysqlTypes;
import io.mysqlpq.trino.types.ReturnedValue;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.block.Block;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Compares the value that a column has in MySQL with the value that Trino has read and sent back.
 *
 * <p>A comparison must call a value unchanged if nobody changed it. Columns whose values reach Trino rounded, or in another form, are
 * therefore not compared.
 */
record ComparedColumn(JdbcColumnHandle column, ReturnedValue kind)
{
    ComparedColumn
    {
        requireNonNull(column, "column is null");
        requireNonNull(kind, "kind is null");
    }

    /** Returns those of the columns that can be compared. */
    static List<ComparedColumn> among(List<JdbcColumnHandle> columns)
    {
        return columns.stream().flatMap(column -> kindOf(column).map(kind -> new ComparedColumn(column, kind)).stream()).collect(toImmutableList());
    }

    static List<JdbcColumnHandle> columns(List<ComparedColumn> compared)
    {
        return compared.stream().map(ComparedColumn::column).collect(toImmutableList());
    }

    private static Optional<ReturnedValue> kindOf(JdbcColumnHandle column)
    {
        JdbcTypeHandle type = column.getJdbcTypeHandle();
        if (TextCollation.mayHoldHalves(type)) {
            return Optional.empty();
        }
        return MysqlTypes.of(type).returnedValue(type, column.getColumnType());
    }

    /** Whether a digest stands for the value. */
    boolean isDigested()
    {
        return switch (kind) {
            case TEXT, CHAR, BYTES -> true;
            case VALUE, CALENDAR, FLOAT, JSON -> false;
        };
    }

    /** The digest of a value that Trino read; empty for NULL. */
    Optional<byte[]> digest(Block values, int position)
    {
        if (values.isNull(position)) {
            return Optional.empty();
        }
        Slice value = column.getColumnType().getSlice(values, position);
        return Optional.of(Hashing.sha256().hashBytes(value.byteArray(), value.byteArrayOffset(), value.length()).asBytes());
    }

    /**
     * The digest of the value that the column has, in SQL.
     *
     * @param current the column's name in the table
     */
    String digest(String current)
    {
        return sha256(switch (kind) {
            case TEXT -> "CONVERT(%s USING utf8mb4)".formatted(current);
            case CHAR -> "TRIM(TRAILING ' ' FROM CONVERT(%s USING utf8mb4))".formatted(current);
            case BYTES -> current;
            case VALUE, CALENDAR, FLOAT, JSON -> throw new IllegalStateException("No digest of " + kind);
        });
    }

    /** The definition of the column that keeps a value, where it is not the table's: a date that is never NULL may be read as NULL. */
    Optional<String> keptDefinition()
    {
        return switch (kind) {
            case CALENDAR -> Optional.of(switch (column.getColumnType()) {
                case TimestampType type -> "DATETIME(%d) NULL".formatted(type.getPrecision());
                case TimestampWithTimeZoneType type -> "TIMESTAMP(%d) NULL".formatted(type.getPrecision());
                default -> "DATE NULL";
            });
            case VALUE, FLOAT, JSON -> Optional.empty();
            case TEXT, CHAR, BYTES -> throw new IllegalStateException("Kept as a digest: " + kind);
        };
    }

    /**
     * A condition that is true if the value is what was read, and never NULL.
     *
     * @param current the column's name in the table
     * @param kept the name of what was read
     */
    String isUnchanged(String current, String kept, boolean invalidDatesAreNull)
    {
        return switch (kind) {
            case VALUE -> "%s <=> %s".formatted(current, kept);
            case CALENDAR -> (invalidDatesAreNull ? "IF(%2$s IS NULL, %1$s IS NULL OR NOT %3$s, %1$s <=> %2$s)" : "%s <=> %s").formatted(current, kept, isOfTheCalendar(current));
            case FLOAT -> "CAST(%s AS CHAR) <=> CAST(%s AS CHAR)".formatted(current, kept);
            case JSON -> "CAST(CAST(%s AS CHAR) AS JSON) <=> %s".formatted(current, kept);
            case TEXT, CHAR, BYTES -> throw new IllegalStateException("Compared by a digest: " + kind);
        };
    }

    // MySQL gives the last day of a month also for a day that the month has not, and NULL for a month that is none.
    private static String isOfTheCalendar(String date)
    {
        return "COALESCE(MONTH(%1$s) > 0 AND DAY(%1$s) BETWEEN 1 AND DAY(LAST_DAY(%1$s)), FALSE)".formatted(date);
    }

    /** The digest of some bytes, in SQL. */
    static String sha256(String sql)
    {
        return "UNHEX(SHA2(%s, 256))".formatted(sql);
    }
}
