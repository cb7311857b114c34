package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hasher;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;

import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.hash.Hashing.sha256;
import static io.airlift.slice.Slices.wrappedBuffer;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static java.util.stream.Collectors.joining;

/**
 * Says what a temporary table keeps of the values that a row had when Trino read it: numbers and dates as they were, and one digest of all
 * text and bytes.
 *
 * <p>The digest takes 32 bytes of a row, and InnoDB allows a row about half a page. A digest for each column would be too much for a table
 * of many columns.
 *
 * @param compared the columns whose values must not have changed
 */
record KeptValues(List<ComparedColumn> compared)
{
    private static final int DIGEST_BYTES = 32;
    private static final JdbcColumnHandle DIGEST = new JdbcColumnHandle(
            "digest",
            new JdbcTypeHandle(Types.BINARY, Optional.of("BINARY"), Optional.of(DIGEST_BYTES), Optional.empty(), Optional.empty(), Optional.empty()),
            VARBINARY);

    KeptValues
    {
        compared = ImmutableList.copyOf(compared);
    }

    private List<ComparedColumn> asTheyAre()
    {
        return compared.stream().filter(column -> !column.isDigested()).collect(toImmutableList());
    }

    private List<ComparedColumn> digested()
    {
        return compared.stream().filter(ComparedColumn::isDigested).collect(toImmutableList());
    }

    /** The columns of the temporary table that keep the values. */
    List<JdbcColumnHandle> columns()
    {
        return Stream.concat(asTheyAre().stream().map(ComparedColumn::column), digested().isEmpty() ? Stream.of() : Stream.of(DIGEST)).collect(toImmutableList());
    }

    /** Definitions of those of these columns that are no copies of the table's. */
    List<Optional<String>> definitions()
    {
        return Stream.concat(
                asTheyAre().stream().map(ComparedColumn::keptDefinition),
                digested().isEmpty() ? Stream.of() : Stream.of(Optional.of("BINARY(%d)".formatted(DIGEST_BYTES))))
                .collect(toImmutableList());
    }

    /**
     * Returns what these columns keep of some rows.
     *
     * @param values of the compared columns
     */
    Stream<Block> keep(List<Block> values)
    {
        Stream<Block> asTheyAre = IntStream.range(0, values.size()).filter(index -> !compared.get(index).isDigested()).mapToObj(values::get);
        return digested().isEmpty() ? asTheyAre : Stream.concat(asTheyAre, Stream.of(digests(values)));
    }

    // A row's digest is one of the digests of its values, one after the other. Zeros stand for NULL.
    private Block digests(List<Block> values)
    {
        int[] channels = IntStream.range(0, values.size()).filter(index -> compared.get(index).isDigested()).toArray();
        int rows = values.getFirst().getPositionCount();
        BlockBuilder digests = VARBINARY.createBlockBuilder(null, rows);
        for (int position = 0; position < rows; position++) {
            Hasher row = sha256().newHasher();
            for (int channel : channels) {
                row.putBytes(compared.get(channel).digest(values.get(channel), position).orElseGet(() -> new byte[DIGEST_BYTES]));
            }
            VARBINARY.writeSlice(digests, wrappedBuffer(row.hash().asBytes()));
        }
        return digests.build();
    }

    /**
     * A condition that is true if a row's values are what was read, and never NULL.
     *
     * @param current the name that a column has in the table
     * @param kept the names of what was read
     */
    String isUnchanged(Function<JdbcColumnHandle, String> current, List<String> kept, boolean invalidDatesAreNull)
    {
        List<ComparedColumn> asTheyAre = asTheyAre();
        List<ComparedColumn> digested = digested();
        Stream<String> values = IntStream.range(0, asTheyAre.size()).mapToObj(index -> asTheyAre.get(index).isUnchanged(current.apply(asTheyAre.get(index).column()), kept.get(index), invalidDatesAreNull));
        Stream<String> digest = digested.isEmpty() ? Stream.of()
                : Stream.of("%s <=> %s".formatted(
                        ComparedColumn.sha256(digested.stream()
                                .map(column -> "COALESCE(%s, REPEAT(0x00, %d))".formatted(column.digest(current.apply(column.column())), DIGEST_BYTES))
                                .collect(joining(", ", "CONCAT(", ")"))),
                        kept.getLast()));
        return Stream.of(Stream.of("TRUE"), values, digest).flatMap(conditions -> conditions).collect(joining(" AND "));
    }
}
