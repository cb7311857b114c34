package io.mysqlpq.trino.types;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.ObjectReadFunction;
import io.trino.plugin.jdbc.ObjectWriteFunction;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.Type;

import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.stream.Collectors.joining;

/**
 * Describes SET. It is text, as the stock connector has it; to sessions with extended types it is an array of its members, in the order of the column's definition.
 *
 * <p>MySQL's text of it separates members by commas, which no member may have. The empty text is the empty set: a
 * member that is the empty string looks the same, so that alone it is read as the empty set.
 */
final class MysqlSet
        extends MysqlType
{
    private static final ArrayType TYPE = new ArrayType(VARCHAR);
    private static final char SEPARATOR = ',';

    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("SET");
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.SET);
    }

    @Override
    public String protocolName()
    {
        return "set";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return MysqlTypes.TEXT.columnMapping(handle, context);
    }

    @Override
    Optional<ColumnMapping> extendedMapping(JdbcTypeHandle handle)
    {
        return Optional.of(members());
    }

    // MySQL would compare it as text or as a number.
    private static ColumnMapping members()
    {
        return ColumnMapping.objectMapping(
                TYPE,
                ObjectReadFunction.of(Block.class, (rows, column) -> parse(rows.getString(column))),
                ObjectWriteFunction.of(Block.class, (statement, index, members) -> statement.setString(index, text(members))),
                DISABLE_PUSHDOWN);
    }

    private static Block parse(String text)
    {
        Iterable<String> members = text.isEmpty() ? ImmutableList.of() : Splitter.on(SEPARATOR).split(text);
        BlockBuilder block = VARCHAR.createBlockBuilder(null, 1);
        members.forEach(member -> VARCHAR.writeSlice(block, utf8Slice(member)));
        return block.build();
    }

    private static String text(Block members)
    {
        return IntStream.range(0, members.getPositionCount()).mapToObj(position -> member(members, position)).collect(joining(","));
    }

    private static String member(Block members, int position)
    {
        if (members.isNull(position)) {
            throw new TrinoException(CONSTRAINT_VIOLATION, "A value of MySQL's SET cannot contain NULL. Leave NULL out of the array");
        }
        String member = VARCHAR.getSlice(members, position).toStringUtf8();
        if (member.indexOf(SEPARATOR) >= 0) {
            throw new TrinoException(CONSTRAINT_VIOLATION, "A member of MySQL's SET cannot contain a comma: '%s'".formatted(member));
        }
        return member;
    }

    // Where Trino sees text, it is read like text.
    @Override
    CellType cellType(JdbcTypeHandle handle, Type type)
    {
        return CellType.of(type instanceof ArrayType ? this : MysqlTypes.TEXT);
    }

    @Override
    boolean keeps(CellType written, CellType column)
    {
        return written.type().equals(this) || written.type().equals(MysqlTypes.TEXT);
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return MysqlText.packets(field, type);
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return type instanceof CharType character && TextCollation.of(handle).isPresent() && !TextCollation.mayBeReadInHalves(handle)
                ? Optional.of(new NativeColumn(NativeLayout.BYTES, BatchBlocks.texts(character.getLength())))
                : Optional.empty();
    }

    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return TextCollation.isText(column);
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return MysqlText.returnedText(type);
    }
}
