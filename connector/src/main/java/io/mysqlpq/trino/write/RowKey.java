package io.mysqlpq.trino.write;

import io.mysqlpq.trino.types.MysqlTypes;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.QueryParameter;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;

import static com.google.common.io.BaseEncoding.base16;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.type.VarbinaryType.VARBINARY;

/**
 * Finds a row again by its primary key, to update or delete it.
 *
 * <p>MySQL compares a TIMESTAMP with anything, and copies it between tables, in the session's time zone. Some instants look alike there in
 * the hour that a change from summer time repeats. Statements that compare or copy a TIMESTAMP therefore run in UTC.
 */
final class RowKey
{
    private RowKey()
    {}

    /**
     * @param names the columns of MySQL's key
     * @param columns what Trino sees of them
     */
    static void check(RemoteTableName table, List<String> names, List<JdbcColumnHandle> columns)
    {
        if (names.isEmpty()) {
            throw new TrinoException(NOT_SUPPORTED, "The connector can not perform merge on the target table without primary keys");
        }
        if (columns.isEmpty()) {
            throw new TrinoException(
                    NOT_SUPPORTED,
                    "The rows of table %s can't be changed one by one: its primary key (%s) has a column whose type Trino does not support. Use system.execute".formatted(table, String.join(", ", names)));
        }
        for (JdbcColumnHandle column : columns) {
            if (!isExactKey(column)) {
                throw new TrinoException(
                        NOT_SUPPORTED,
                        "The rows of table %s can't be changed one by one: column %s of its primary key has the type %s, whose values reach Trino rounded or changed. Use system.execute".formatted(
                                table,
                                column.getColumnName(),
                                column.getJdbcTypeHandle().jdbcTypeName().orElse("unknown")));
            }
        }
    }

    private static boolean isExactKey(JdbcColumnHandle column)
    {
        return MysqlTypes.of(column).isExactKey(column.getJdbcTypeHandle(), column.getColumnType());
    }

    /** Names a row to people: its columns and their values, which are the first ones of a result. */
    static String text(List<JdbcColumnHandle> columns, ResultSet row)
            throws SQLException
    {
        StringJoiner values = new StringJoiner(", ");
        for (int index = 0; index < columns.size(); index++) {
            JdbcColumnHandle column = columns.get(index);
            String value = column.getColumnType().equals(VARBINARY) ? "0x" + base16().encode(row.getBytes(index + 1)) : row.getString(index + 1);
            values.add("%s = %s".formatted(column.getColumnName(), value));
        }
        return values.toString();
    }

    /** Whether keys are written, with values for the rows that have them, or rows go through a temporary table. */
    static boolean comparesOrCopiesInstants(JdbcOutputTableHandle handle)
    {
        return (handle instanceof ChangesByKey || handle.getTemporaryTableName().isPresent()) && handle.getColumnTypes().stream().anyMatch(RowKey::isInstant);
    }

    /** Whether constants are compared with instants. Expressions may compare columns besides. */
    static boolean comparesInstants(JdbcTableHandle table)
    {
        Stream<Type> compared = Stream.concat(
                table.getConstraint().getDomains().stream().flatMap(domains -> domains.keySet().stream()).map(column -> ((JdbcColumnHandle) column).getColumnType()),
                table.getConstraintExpressions().stream().flatMap(expression -> expression.parameters().stream()).map(QueryParameter::getType));
        return compared.anyMatch(RowKey::isInstant);
    }

    static boolean isInstant(Type type)
    {
        return type instanceof TimestampWithTimeZoneType;
    }
}
