package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.ObjectReadFunction;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.temporal.Temporal;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/** Reads a date or time that Trino holds as an object. */
record CalendarObject<T extends Temporal, V>(CalendarCell<T> cell, Class<V> trinoType, Function<T, V> toTrino)
        implements ObjectReadFunction
{
    CalendarObject
    {
        requireNonNull(cell, "cell is null");
        requireNonNull(trinoType, "trinoType is null");
        requireNonNull(toTrino, "toTrino is null");
    }

    @Override
    public boolean isNull(ResultSet rows, int column)
            throws SQLException
    {
        return cell.read(rows, column) == null;
    }

    @Override
    public Class<?> getJavaType()
    {
        return trinoType;
    }

    @Override
    public Object readObject(ResultSet rows, int column)
            throws SQLException
    {
        return toTrino.apply(cell.read(rows, column));
    }
}
