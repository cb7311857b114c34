package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.protocol.ScanCondition.Choice;
import io.mysqlpq.trino.protocol.ScanCondition.Comparison;
import io.mysqlpq.trino.protocol.ScanCondition.Filter;

import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.SCAN_FUNCTION;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Asks for the rows of a range of a clustered index in column batches.
 *
 * @param partition the (sub)partition to read, if the table has some
 * @param after the key of a row up to which all were read before
 */
public record ScanRequest(
        String schema,
        String table,
        String index,
        String token,
        Optional<String> partition,
        List<Column> columns,
        List<ScanCondition> conditions,
        KeyRange range,
        Optional<KeyBound> after)
{
    // As docs/protocol.md has them.
    private static final int MOST_OPTIONS_BYTES = 256 * 1024;
    private static final int MOST_CONDITIONS = 64;
    private static final int MOST_CONDITIONS_IN_ALL = 256;
    private static final int MOST_CHOICES_WITHIN_EACH_OTHER = 2;
    private static final int MOST_INTERVALS = 4_096;

    /** @param layout how the column's values are laid out, as the protocol names it */
    public record Column(String name, String layout)
    {
        public Column
        {
            requireNonNull(name, "name is null");
            requireNonNull(layout, "layout is null");
        }
    }

    public ScanRequest
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
        requireNonNull(index, "index is null");
        requireNonNull(token, "token is null");
        requireNonNull(partition, "partition is null");
        columns = ImmutableList.copyOf(columns);
        conditions = ImmutableList.copyOf(conditions);
        requireNonNull(range, "range is null");
        requireNonNull(after, "after is null");
    }

    public ScanRequest with(List<ScanCondition> more)
    {
        return new ScanRequest(schema, table, index, token, partition, columns, ImmutableList.<ScanCondition>builder().addAll(conditions).addAll(more).build(), range, after);
    }

    /** The same within another range. */
    public ScanRequest within(KeyRange narrower)
    {
        return new ScanRequest(schema, table, index, token, partition, columns, conditions, narrower, after);
    }

    public ScanRequest after(KeyBound last)
    {
        return new ScanRequest(schema, table, index, token, partition, columns, conditions, range, Optional.of(last));
    }

    /** Whether the extension takes so many conditions, so deep within each other and with so many values. */
    public boolean isWithinLimits()
    {
        return areWithinLimits(conditions, 0) && count(conditions) <= MOST_CONDITIONS_IN_ALL && intervals(conditions) <= MOST_INTERVALS && options().getBytes(UTF_8).length <= MOST_OPTIONS_BYTES;
    }

    private static boolean areWithinLimits(List<ScanCondition> conditions, int depth)
    {
        return depth <= MOST_CHOICES_WITHIN_EACH_OTHER && conditions.size() <= MOST_CONDITIONS && conditions.stream().allMatch(condition -> !(condition instanceof Choice(List<List<ScanCondition>> alternatives))
                || (alternatives.size() <= MOST_CONDITIONS && alternatives.stream().allMatch(alternative -> areWithinLimits(alternative, depth + 1))));
    }

    private static int count(List<ScanCondition> conditions)
    {
        return conditions.stream().mapToInt(condition -> condition instanceof Choice(List<List<ScanCondition>> alternatives) ? 1 + alternatives.stream().mapToInt(ScanRequest::count).sum() : 1).sum();
    }

    private static int intervals(List<ScanCondition> conditions)
    {
        return conditions.stream()
                .mapToInt(condition -> switch (condition) {
                    case Filter filter -> filter.intervals().size();
                    case Comparison _ -> 1;
                    case Choice choice -> choice.alternatives().stream().mapToInt(ScanRequest::intervals).sum();
                })
                .sum();
    }

    /** The {@code options} argument. */
    public String options()
    {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        ArrayNode wanted = options.putArray("columns");
        columns.forEach(column -> wanted.addArray().add(column.name()).add(column.layout()));
        options.set("filters", write(conditions));
        partition.ifPresent(name -> options.put("partition", name));
        after.ifPresentOrElse(
                bound -> options.set("after", KeyBounds.write(bound)),
                () -> range.lower().ifPresent(bound -> options.set("lower", KeyBounds.write(bound))));
        range.upper().ifPresent(bound -> options.set("upper", KeyBounds.write(bound)));
        return options.toString();
    }

    private static ArrayNode write(List<ScanCondition> conditions)
    {
        ArrayNode written = JsonNodeFactory.instance.arrayNode();
        conditions.forEach(condition -> written.add(write(condition)));
        return written;
    }

    private static ObjectNode write(ScanCondition condition)
    {
        ObjectNode written = JsonNodeFactory.instance.objectNode();
        switch (condition) {
            case Filter filter -> {
                written.put("column", filter.column()).put("nulls", filter.nullPasses());
                ArrayNode intervals = written.putArray("intervals");
                filter.intervals().forEach(interval -> intervals.addArray()
                        .add(interval.low().orElse(null))
                        .add(interval.lowInclusive())
                        .add(interval.high().orElse(null))
                        .add(interval.highInclusive()));
            }
            case Comparison comparison -> written.put("left", comparison.left()).put("comparison", comparison.operator()).put("right", comparison.right());
            case Choice choice -> {
                ArrayNode alternatives = written.putArray("any");
                choice.alternatives().forEach(alternative -> alternatives.add(write(alternative)));
            }
        }
        return written;
    }

    /** The argument that allows so many batches. */
    public static String batches(int count)
    {
        return "[" + "0,".repeat(count - 1) + "0]";
    }

    /** Reads a batch's cursor. */
    public static KeyBound cursor(List<KeyColumn> columns, String cursor)
            throws UnsupportedReplyException
    {
        ReplyFields fields = ReplyFields.parse(SCAN_FUNCTION, "{\"cursor\": [%s]}".formatted(cursor));
        return KeyBounds.read(fields, columns, fields.array("cursor").iterator().next());
    }
}
