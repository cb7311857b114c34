package io.mysqlpq.trino.rows;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.MysqlType;
import com.mysql.cj.jdbc.result.ResultSetImpl;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.types.CellType;
import io.mysqlpq.trino.types.CellType.Kind;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.Type;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** A column of a result as MySQL describes it before the first row: the truth about its cells, whatever the query was planned on. */
public record ReceivedColumn(Field field)
{
    private static final Set<MysqlType> TIMED = ImmutableSet.of(MysqlType.TIME, MysqlType.DATETIME, MysqlType.TIMESTAMP);
    private static final int BINARY_COLLATION = 63;
    // The driver tells both from text, or bytes, by these alone.
    private static final int ENUM_FLAG = 256;
    private static final int SET_FLAG = 2048;
    private static final String COLLATE = " COLLATE ";

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

    // Empty if the driver knows the type no better than that it is there.
    private Optional<CellType> cellType()
    {
        if (isEnum() || isSet()) {
            return Optional.of(CellType.of(isSet() ? Kind.SET : Kind.TEXT));
        }
        return Optional.ofNullable(switch (field.getMysqlType()) {
            case TINYINT, TINYINT_UNSIGNED, SMALLINT, SMALLINT_UNSIGNED, MEDIUMINT, MEDIUMINT_UNSIGNED, INT, INT_UNSIGNED, BIGINT, BIGINT_UNSIGNED, BOOLEAN -> CellType.of(Kind.INTEGER);
            case BIT -> new CellType(Kind.BIT, (int) field.getLength(), 0);
            case DECIMAL, DECIMAL_UNSIGNED -> new CellType(Kind.DECIMAL, 0, field.getDecimals());
            case FLOAT, FLOAT_UNSIGNED -> CellType.of(Kind.FLOAT);
            case DOUBLE, DOUBLE_UNSIGNED -> CellType.of(Kind.DOUBLE);
            case DATE -> CellType.of(Kind.DATE);
            case YEAR -> CellType.of(Kind.YEAR);
            case TIME -> new CellType(Kind.TIME, 0, field.getDecimals());
            case DATETIME -> new CellType(Kind.DATETIME, 0, field.getDecimals());
            case TIMESTAMP -> new CellType(Kind.TIMESTAMP, 0, field.getDecimals());
            case CHAR, VARCHAR, TINYTEXT, TEXT, MEDIUMTEXT, LONGTEXT, BINARY, VARBINARY, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB ->
                CellType.of(field.getCollationIndex() == BINARY_COLLATION ? Kind.BYTES : Kind.TEXT);
            case JSON -> CellType.of(Kind.JSON);
            case GEOMETRY -> CellType.of(Kind.GEOMETRY);
            case VECTOR -> CellType.of(Kind.VECTOR);
            case NULL -> CellType.of(Kind.NULL);
            default -> null;
        });
    }

    private boolean isEnum()
    {
        return (field.getFlags() & ENUM_FLAG) != 0;
    }

    private boolean isSet()
    {
        return (field.getFlags() & SET_FLAG) != 0;
    }

    private String typeName()
    {
        if (isEnum() || isSet()) {
            return isSet() ? "SET" : "ENUM";
        }
        String name = field.getMysqlType().getName();
        if (TIMED.contains(field.getMysqlType())) {
            return field.getDecimals() == 0 ? name : "%s(%d)".formatted(name, field.getDecimals());
        }
        return switch (field.getMysqlType()) {
            case BIT -> "BIT(%d)".formatted(field.getLength());
            case DECIMAL, DECIMAL_UNSIGNED -> "%s with %d digits after the point".formatted(name, field.getDecimals());
            default -> name;
        };
    }

    private static String typeName(JdbcTypeHandle mysqlType, CellType planned)
    {
        String collated = mysqlType.jdbcTypeName().orElse("").toUpperCase(Locale.ENGLISH);
        String name = collated.contains(COLLATE) ? collated.substring(0, collated.indexOf(COLLATE)) : collated;
        return switch (planned.kind()) {
            case DECIMAL -> planned.scale() == CellType.ANY_SCALE ? name : "%s with %d digits after the point".formatted(name, planned.scale());
            case BIT -> "BIT(%d)".formatted(planned.length());
            case TIME, DATETIME, TIMESTAMP -> planned.scale() <= 0 ? name : "%s(%d)".formatted(name, planned.scale());
            default -> name;
        };
    }
}
