package io.mysqlpq.trino.types;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.ObjectReadFunction;
import io.trino.plugin.jdbc.ObjectWriteFunction;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.ArrayType;

import java.util.stream.IntStream;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.stream.Collectors.joining;

/**
 * Maps SET to an array of its members, in the order of the column's definition.
 *
 * <p>MySQL's text of it separates members by commas, which no member may have. The empty text is the empty set: a
 * member that is the empty string looks the same, so that alone it is read as the empty set.
 */
final class SetMapping
{
    private static final ArrayType TYPE = new ArrayType(VARCHAR);
    private static final char SEPARATOR = ',';

    private SetMapping()
    {}

    // MySQL would compare it as text or as a number.
    static ColumnMapping columnMapping()
    {
        return ColumnMapping.objectMapping(
                TYPE,
                ObjectReadFunction.of(Block.class, (rows, column) -> members(rows.getString(column))),
                ObjectWriteFunction.of(Block.class, (statement, index, members) -> statement.setString(index, text(members))),
                DISABLE_PUSHDOWN);
    }

    private static Block members(String text)
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
            throw new TrinoException(CONSTRAINT_VIOLATION, "A value of MySQL's SET has no NULL among its members: leave it out of the array");
        }
        String member = VARCHAR.getSlice(members, position).toStringUtf8();
        if (member.indexOf(SEPARATOR) >= 0) {
            throw new TrinoException(CONSTRAINT_VIOLATION, "A member of MySQL's SET has no comma, so this is none: '%s'".formatted(member));
        }
        return member;
    }
}
