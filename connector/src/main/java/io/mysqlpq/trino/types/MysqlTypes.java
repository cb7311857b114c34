package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.mysql.cj.result.Field;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.Type;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import static io.mysqlpq.trino.types.TypeSessionProperties.typeOptions;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Locale.ENGLISH;

/** Lists the types of MySQL, and finds the one of a column. */
public final class MysqlTypes
{
    static final MysqlType INTEGER = new MysqlInteger();
    static final MysqlType DECIMAL = new MysqlDecimal();
    static final MysqlType TEXT = new MysqlText();
    static final MysqlType SET = new MysqlSet();
    static final MysqlType NULL = new MysqlNull();
    private static final MysqlType BYTES = new MysqlBytes();
    private static final MysqlType UNKNOWN = new UnknownType();

    static final List<MysqlType> ALL = ImmutableList.of(
            INTEGER,
            new MysqlBit(),
            DECIMAL,
            new MysqlFloat(),
            new MysqlDouble(),
            new MysqlDate(),
            new MysqlYear(),
            new MysqlTime(),
            new MysqlDatetime(),
            new MysqlTimestamp(),
            TEXT,
            SET,
            BYTES,
            new MysqlJson(),
            new MysqlGeometry(),
            new MysqlVector(),
            NULL);

    private static final Map<String, MysqlType> BY_NAME = by(MysqlType::names);
    private static final Map<Integer, MysqlType> BY_JDBC_TYPE = by(MysqlType::jdbcTypes);
    private static final Map<com.mysql.cj.MysqlType, MysqlType> BY_DRIVER_TYPE = by(MysqlType::driverTypes);

    private static final int BINARY_COLLATION = 63;
    // The driver tells both from text, or bytes, by these alone.
    private static final int ENUM_FLAG = 256;
    private static final int SET_FLAG = 2048;

    private MysqlTypes()
    {}

    private static <K> Map<K, MysqlType> by(Function<MysqlType, Collection<K>> keys)
    {
        ImmutableMap.Builder<K, MysqlType> types = ImmutableMap.builder();
        ALL.forEach(type -> keys.apply(type).forEach(key -> types.put(key, type)));
        return types.buildOrThrow();
    }

    /**
     * The type of a column as JDBC describes it: by its name, unless its JDBC type is one of other types.
     *
     * <p>A merged aggregation reads exact sums as text, for example: its columns keep the name of DECIMAL.
     */
    public static MysqlType of(JdbcTypeHandle handle)
    {
        Optional<MysqlType> byJdbcType = Optional.ofNullable(BY_JDBC_TYPE.get(handle.jdbcType()));
        return named(handle)
                .filter(type -> type.jdbcTypes().isEmpty() || byJdbcType.isEmpty() || byJdbcType.get().equals(type))
                .or(() -> byJdbcType)
                .orElse(UNKNOWN);
    }

    public static MysqlType of(JdbcColumnHandle column)
    {
        return of(column.getJdbcTypeHandle());
    }

    /** Finds a type by its name. Empty if it has no name, or one that is not known here. */
    static Optional<MysqlType> named(JdbcTypeHandle handle)
    {
        String name = handle.jdbcTypeName().orElse("").toUpperCase(ENGLISH);
        // Words may follow: UNSIGNED, or a collation.
        int end = name.indexOf(' ');
        return Optional.ofNullable(BY_NAME.get(end < 0 ? name : name.substring(0, end)));
    }

    /** The type of a column that MySQL sends. Empty if the driver knows the type no better than that it is there. */
    public static Optional<MysqlType> of(Field field)
    {
        if (isSet(field)) {
            return Optional.of(SET);
        }
        if (isEnum(field)) {
            return Optional.of(TEXT);
        }
        MysqlType type = BY_DRIVER_TYPE.get(field.getMysqlType());
        if (TEXT.equals(type) || BYTES.equals(type)) {
            return Optional.of(field.getCollationIndex() == BINARY_COLLATION ? BYTES : TEXT);
        }
        return Optional.ofNullable(type);
    }

    public static boolean isEnum(Field field)
    {
        return (field.getFlags() & ENUM_FLAG) != 0;
    }

    public static boolean isSet(Field field)
    {
        return (field.getFlags() & SET_FLAG) != 0;
    }

    /**
     * How Trino reads a column and compares its values.
     *
     * @param jsonType Trino's type of JSON
     * @return empty if Trino does not see the column
     */
    public static Optional<ColumnMapping> columnMapping(ConnectorSession session, JdbcTypeHandle handle, Type jsonType)
    {
        if (handle.jdbcTypeName().isEmpty()) {
            throw new TrinoException(JDBC_ERROR, "Type name is missing: " + handle);
        }
        MysqlType type = of(handle);
        TypeOptions options = typeOptions(session);
        Optional<ColumnMapping> extended = options.extendedTypes() ? type.extendedMapping(handle) : Optional.empty();
        return extended.isPresent() ? extended : type.columnMapping(handle, new MappingContext(session, options.invalidDates(), jsonType));
    }

    /** Returns what a column becomes that Trino creates, and how its values are bound, as the stock connector has it. */
    public static WriteMapping writeMapping(Type type)
    {
        return ALL.stream()
                .flatMap(mysqlType -> mysqlType.writeMapping(type).stream())
                .findFirst()
                .orElseThrow(() -> new TrinoException(NOT_SUPPORTED, "Unsupported column type: " + type.getDisplayName()));
    }
}
