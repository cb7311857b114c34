package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.LongReadFunction;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.temporal.Temporal;
import java.util.function.ToLongFunction;

import static java.util.Objects.requireNonNull;

/** Reads a date or time that Trino holds as a number. Its parts let a reader do so with one question to the driver. */
public record CalendarLong<T extends Temporal>(CalendarCell<T> cell, ToLongFunction<T> toTrino)
        implements LongReadFunction
{
    public CalendarLong
    {
        requireNonNull(cell, "cell is null");
        requireNonNull(toTrino, "toTrino is null");
    }

    @Override
    public boolean isNull(ResultSet rows, int column)
            throws SQLException
    {
        return cell.read(rows, column) == null;
    }

    @Override
    public long readLong(ResultSet rows, int column)
            throws SQLException
    {
        return toTrino.applyAsLong(cell.read(rows, column));
    }
}
