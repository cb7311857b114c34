package io.mysqlpq.trino.pushdown;

import io.mysqlpq.trino.types.MysqlTypes;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ConnectorSession;

import java.util.function.Predicate;

import static java.util.Objects.requireNonNull;

/** Tells which columns' values MySQL treats as Trino does. */
public final class ColumnSemantics
{
    private final Predicate<ConnectorSession> readsInvalidDatesAsNull;

    public ColumnSemantics(Predicate<ConnectorSession> readsInvalidDatesAsNull)
    {
        this.readsInvalidDatesAsNull = requireNonNull(readsInvalidDatesAsNull, "readsInvalidDatesAsNull is null");
    }

    /**
     * Whether MySQL and Trino order the values alike, and take the same ones for equal, both zeros of DOUBLE too.
     *
     * <p>Text does if MySQL is asked for it as ComparedText writes it. Values that reach Trino rounded do not: they tie there and not in
     * MySQL. BLOB does not, because MySQL sorts a prefix of it. YEAR and BIT do not, because they reach Trino as other types.
     */
    public boolean areComparedAlike(ConnectorSession session, JdbcColumnHandle column)
    {
        return MysqlTypes.of(column).isComparedAlike(column) && areNullAlike(session, column);
    }

    /**
     * Whether groups, and least and greatest values, are alike too.
     *
     * <p>Text in other character sets has others: where MySQL groups rows, min() of a converted text may be the converted bytes taken for
     * bytes of the column's set (MySQL 9.7.4).
     */
    boolean areGroupedAlike(ConnectorSession session, JdbcColumnHandle column)
    {
        return areComparedAlike(session, column) && (!TextCollation.isText(column) || ComparedText.isUtf8(column));
    }

    /** Whether Trino takes no other values for NULL than MySQL does. */
    public boolean areNullAlike(ConnectorSession session, JdbcColumnHandle column)
    {
        return !mayHoldInvalidDates(column) || !readsInvalidDatesAsNull.test(session);
    }

    /** Whether a value may be a date that no calendar has. MySQL takes it for a value, and Trino for an error or for NULL. */
    public static boolean mayHoldInvalidDates(JdbcColumnHandle column)
    {
        return MysqlTypes.of(column).mayHoldInvalidDates(column.getColumnType());
    }

    /** Whether both add the values alike. */
    boolean areAddedAlike(ConnectorSession session, JdbcColumnHandle column)
    {
        return MysqlTypes.of(column).isAddedAlike(column) && areComparedAlike(session, column);
    }
}
