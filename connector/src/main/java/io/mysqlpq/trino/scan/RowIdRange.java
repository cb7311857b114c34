package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.DateType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_INVALID_DATE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_NATIVE_SCAN_FAILED;
import static io.mysqlpq.trino.protocol.ExtensionError.MEMORY_LIMIT;
import static io.mysqlpq.trino.protocol.ExtensionError.OTHER_TYPE;
import static java.util.Objects.requireNonNull;

/**
 * Reads a range of InnoDB's row ids. It is read natively or not at all, because no SQL can express the range.
 *
 * <p>The planner has made sure that the extension reads the columns and filters, whatever a row holds. Any other obstacle fails the query:
 * if this range were read in another way, rows could be read twice or not at all.
 */
record RowIdRange(MysqlPqSplit split, List<JdbcColumnHandle> columns)
        implements LeftRows
{
    RowIdRange
    {
        requireNonNull(split, "split is null");
        columns = ImmutableList.copyOf(columns);
    }

    static boolean is(MysqlPqSplit split)
    {
        return split.range().filter(read -> read.key().isOfRowIds()).isPresent();
    }

    @Override
    public RowPages after(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeyBound> last, OptionalInt unusual)
    {
        throw cannotGoOn(unusual);
    }

    // Other scans have the memory now, and will end.
    @Override
    public boolean isAskedAgain(String code, Backoff backoff)
            throws SQLException
    {
        if (!code.equals(MEMORY_LIMIT) || backoff.isOver()) {
            return false;
        }
        backoff.pause();
        return true;
    }

    @Override
    public void refused(String code, SQLException refusal)
    {
        throw code.equals(OTHER_TYPE) ? changed(refusal.getMessage(), refusal) : failure(refusal.getMessage(), refusal);
    }

    private TrinoException cannotGoOn(OptionalInt unusual)
    {
        if (unusual.isEmpty()) {
            return failure("it cannot decode a row", null);
        }
        JdbcColumnHandle column = columns.get(unusual.getAsInt());
        if (column.getColumnType() instanceof TimeType) {
            return failure("column %s holds a value that is not a time of day".formatted(column.getColumnName()), null);
        }
        if (!(column.getColumnType() instanceof DateType || column.getColumnType() instanceof TimestampType || column.getColumnType() instanceof TimestampWithTimeZoneType)) {
            return changed("column %s holds a value outside of its type %s".formatted(column.getColumnName(), column.getColumnType()), null);
        }
        return new TrinoException(
                MYSQL_PQ_INVALID_DATE,
                "Column %s of table %s holds an invalid date. To read invalid dates as NULL, set the session property invalid_date_handling (catalog: invalid-date-handling) to NULL"
                        .formatted(column.getColumnName(), getOnlyElement(split.tables()).name()));
    }

    private TrinoException changed(String what, SQLException cause)
    {
        return TableAccess.changedColumn(getOnlyElement(split.tables()).name().toString(), what, cause);
    }

    TrinoException failure(String why, Exception cause)
    {
        return new TrinoException(
                MYSQL_PQ_NATIVE_SCAN_FAILED,
                "The extension could not read a range of table %s: %s. The table has no primary key, so SQL cannot read the range either. Set native_scan_enabled to false to read the table as one split"
                        .formatted(getOnlyElement(split.tables()).name(), why),
                cause);
    }
}
