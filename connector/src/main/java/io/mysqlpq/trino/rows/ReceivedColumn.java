package io.mysqlpq.trino.rows;

import com.mysql.cj.jdbc.result.ResultSetImpl;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.types.CellType;
import io.mysqlpq.trino.types.MysqlTypes;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.Type;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Describes a column of a result as MySQL does before the first row. This is the truth about its cells, whatever the query was planned on. */
public record ReceivedColumn(Field field)
{
    public ReceivedColumn
    {
        requireNonNull(field, "field is null");
    }

    static Field[] fields(ResultSet rows)
            throws SQLException
    {
        return rows.unwrap(ResultSetImpl.class).getColumnDefinition().getFields();
    }

    /** @throws ChangedColumnException if a cell could be read as another value than it has */
    static void check(Field field, MappedColumn planned)
            throws ChangedColumnException
    {
        new ReceivedColumn(field).checkReadAs(planned.name(), planned.mysqlType(), planned.type());
    }

    /**
     * @param rows of columns, beginning with these
     * @throws ChangedColumnException if MySQL could have made another value of one that was written there
     */
    public static void checkWritten(ResultSet rows, List<JdbcColumnHandle> planned)
            throws SQLException
    {
        Field[] fields = fields(rows);
        for (int index = 0; index < planned.size(); index++) {
            JdbcColumnHandle column = planned.get(index);
            ReceivedColumn received = new ReceivedColumn(fields[index]);
            Optional<CellType> written = CellType.of(column.getJdbcTypeHandle(), column.getColumnType());
            if (written.isPresent() && received.cellType().filter(written.get()::isKeptIn).isEmpty()) {
                throw received.changed(column.getColumnName(), column.getJdbcTypeHandle(), written.get());
            }
        }
    }

    /**
     * @param rows of columns, of which these begin at some place
     * @throws ChangedColumnException if a value could be read, or compared with, as another one than it is
     */
    public static void checkRead(ResultSet rows, int first, List<JdbcColumnHandle> planned)
            throws SQLException
    {
        Field[] fields = fields(rows);
        for (int index = 0; index < planned.size(); index++) {
            JdbcColumnHandle column = planned.get(index);
            new ReceivedColumn(fields[first + index]).checkReadAs(column.getColumnName(), column.getJdbcTypeHandle(), column.getColumnType());
        }
    }

    private void checkReadAs(String name, JdbcTypeHandle mysqlType, Type type)
            throws ChangedColumnException
    {
        Optional<CellType> planned = CellType.of(mysqlType, type);
        if (planned.isPresent() && cellType().filter(received -> received.isReadAs(planned.get())).isEmpty()) {
            throw changed(name, mysqlType, planned.get());
        }
    }

    // A pushed query gives the table's columns names of its own.
    private ChangedColumnException changed(String name, JdbcTypeHandle mysqlType, CellType planned)
    {
        String column = field.getOriginalName().isEmpty() ? name : field.getOriginalName();
        return new ChangedColumnException("column %s is %s, and was %s when the query was planned".formatted(column, typeName(), typeName(mysqlType, planned)));
    }

    private Optional<CellType> cellType()
    {
        return CellType.of(field);
    }

    private String typeName()
    {
        String name = MysqlTypes.isSet(field) ? "SET" : MysqlTypes.isEnum(field) ? "ENUM" : field.getMysqlType().getName();
        return cellType().map(type -> type.describe(name)).orElse(name);
    }

    private static String typeName(JdbcTypeHandle mysqlType, CellType planned)
    {
        return planned.describe(TextCollation.removeFrom(mysqlType).jdbcTypeName().orElse("").toUpperCase(Locale.ENGLISH));
    }
}
