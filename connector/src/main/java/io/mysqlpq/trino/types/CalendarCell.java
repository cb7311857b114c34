package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.ObjectReadFunction;
import io.trino.spi.TrinoException;
import jakarta.annotation.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.temporal.Temporal;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_INVALID_DATE;
import static java.util.Objects.requireNonNull;

/**
 * Reads a cell with a date, and decides what becomes of a date that no calendar has.
 *
 * @param javaType the type that the driver reads without a time zone: LocalDate or LocalDateTime
 */
public record CalendarCell<T extends Temporal>(Class<T> javaType, InvalidDateHandling invalidDates)
{
    private static final int DATE_LENGTH = "2026-01-02".length();

    public CalendarCell
    {
        requireNonNull(javaType, "javaType is null");
        requireNonNull(invalidDates, "invalidDates is null");
    }

    /** Null for NULL, and for an invalid date if that is how the session wants it. */
    @Nullable
    public T read(ResultSet rows, int column)
            throws SQLException
    {
        try {
            return rows.getObject(column, javaType);
        }
        catch (SQLException | DateTimeException e) {
            String text = rows.getString(column);
            if (hasDate(text)) {
                throw e;
            }
            if (invalidDates == InvalidDateHandling.NULL) {
                return null;
            }
            throw new TrinoException(
                    MYSQL_PQ_INVALID_DATE,
                    "Column %s holds %s, which is not a valid date. To read invalid dates as NULL, set the session property invalid_date_handling (catalog: invalid-date-handling) to NULL"
                            .formatted(CellName.of(rows, column), text),
                    e);
        }
    }

    private static boolean hasDate(String text)
    {
        try {
            LocalDate _ = LocalDate.parse(text.substring(0, DATE_LENGTH));
            return true;
        }
        catch (DateTimeException | StringIndexOutOfBoundsException e) {
            return false;
        }
    }

    public CalendarLong<T> asLong(ToLongFunction<T> toTrino)
    {
        return new CalendarLong<>(this, toTrino);
    }

    public <V> ObjectReadFunction asObject(Class<V> trinoType, Function<T, V> toTrino)
    {
        return new CalendarObject<>(this, trinoType, toTrino);
    }
}
