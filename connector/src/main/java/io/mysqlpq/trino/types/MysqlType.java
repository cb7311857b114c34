package io.mysqlpq.trino.types;

import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.mysqlpq.trino.key.KeyValue;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;

import java.util.Optional;
import java.util.Set;

/**
 * Describes a MySQL type, or several types that differ only in how much fits: all that the connector knows of it.
 *
 * <p>A new type is a subclass (see {@link MysqlDate}), a line in {@link MysqlTypes}, and a row of the tests' {@code TypeSamples}. Whatever a type does not
 * answer is refused, left to Trino, or read by the driver.
 */
public abstract class MysqlType
{
    /** The names that JDBC has for it, in upper case and without UNSIGNED. */
    public abstract Set<String> names();

    /** The JDBC types as which it is read where JDBC has no such name. */
    Set<Integer> jdbcTypes()
    {
        return Set.of();
    }

    /** The types as which the driver receives it. */
    public abstract Set<com.mysql.cj.MysqlType> driverTypes();

    /** Its name in the extension's protocol. */
    public abstract String protocolName();

    /** How Trino reads and writes a column, as the stock connector has it. Empty if Trino does not see the column. */
    abstract Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context);

    /** The mapping of sessions with extended types, where it is another one. */
    Optional<ColumnMapping> extendedMapping(JdbcTypeHandle handle)
    {
        return Optional.empty();
    }

    /** Returns what a column becomes that Trino creates. Empty if another MySQL type stands for Trino's. */
    Optional<WriteMapping> writeMapping(Type type)
    {
        return Optional.empty();
    }

    /** Returns what a reader has to know of a column that a query was planned on. */
    CellType cellType(JdbcTypeHandle handle, Type type)
    {
        return CellType.of(this);
    }

    /** Returns what a reader has to know of a column that MySQL sends. */
    CellType cellType(Field field)
    {
        return CellType.of(this);
    }

    /** Whether a reader who takes cells of another type for cells of this one gets the same values, or notices that one is too large. */
    boolean isReadFrom(CellType received, CellType planned)
    {
        return received.type().equals(this);
    }

    /** Whether a value of another type that is written to a column of this one stays what it is, or MySQL refuses it. */
    boolean keeps(CellType written, CellType column)
    {
        return isReadFrom(written, column);
    }

    /** The name of a type as an error says it. */
    String describe(String name, CellType type)
    {
        return name;
    }

    /** Returns what stands behind the name in the extension's protocol. */
    String parameters(CellType type)
    {
        return "";
    }

    /** Decodes cells as MySQL sends them. Empty if the driver has to. */
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return Optional.empty();
    }

    /** How the extension lays cells out, and how they become a block. Empty if they come by SQL only. */
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return Optional.empty();
    }

    /** Whether each value becomes one of Trino without MySQL's help, or is an error by SQL too. */
    public boolean isReadAlone(Type type)
    {
        return true;
    }

    /** Whether cells are in the record itself as a rule, and not on pages of their own. */
    public boolean isInRecord(JdbcTypeHandle handle)
    {
        return true;
    }

    /** Whether the read function of its mapping must decode it where the driver reads, since a cell is not what its Trino type suggests. */
    public boolean isDecodedByItsMapping()
    {
        return false;
    }

    /** Whether MySQL orders the values as Trino does, and takes the same ones for equal. */
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return false;
    }

    /** Whether MySQL adds the values as Trino does. */
    public boolean isAddedAlike(JdbcColumnHandle column)
    {
        return false;
    }

    /** Whether a value may be a date that no calendar has. */
    public boolean mayHoldInvalidDates(Type type)
    {
        return false;
    }

    /** Returns the integers that a column can hold. Empty for other types. */
    public Optional<IntegerDomain> integers(JdbcTypeHandle handle)
    {
        return Optional.empty();
    }

    /**
     * The value of a filter as a bound of a key. Empty unless the column surely holds such a value.
     *
     * @param steps how many of the column's smallest steps to add
     */
    public Optional<KeyValue> keyValue(JdbcTypeHandle handle, Type type, Object value, int steps)
    {
        return Optional.empty();
    }

    /** Whether the value that Trino sees finds the row again. */
    public boolean isExactKey(JdbcTypeHandle handle, Type type)
    {
        return switch (type) {
            case RealType _ -> false;
            case DecimalType _ -> handle.columnSize().orElse(0) <= Decimals.MAX_PRECISION;
            default -> true;
        };
    }

    /** How the value that a column has is compared with the one that Trino read. Empty if it cannot be. */
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return Optional.empty();
    }
}
