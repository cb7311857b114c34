package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.protocol.ScanCondition.Choice;
import io.mysqlpq.trino.protocol.ScanCondition.Comparison;
import io.mysqlpq.trino.protocol.ScanCondition.Filter;

import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Says what a native scan reads of a table: columns of the rows that pass all conditions.
 *
 * @param types the types that the caller relies on, as the protocol writes them. The extension refuses the scan if a column has another
 * type
 */
public record ScannedRows(List<Column> columns, Map<String, String> types, List<ScanCondition> conditions)
{
    // As docs/protocol.md has them. The other options take less than what is left of 256 KB.
    private static final int MOST_BYTES = 192 * 1024;
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

    public ScannedRows
    {
        columns = ImmutableList.copyOf(columns);
        types = ImmutableMap.copyOf(types);
        conditions = ImmutableList.copyOf(conditions);
    }

    ScannedRows with(List<ScanCondition> more)
    {
        return new ScannedRows(columns, types, ImmutableList.<ScanCondition>builder().addAll(conditions).addAll(more).build());
    }

    /** Returns the same for an earlier extension, which does not know types. */
    ScannedRows untyped()
    {
        return new ScannedRows(columns, ImmutableMap.of(), conditions);
    }

    /** Whether the extension accepts as many conditions, nested as deeply and with as many values. */
    public boolean isWithinLimits()
    {
        return areWithinLimits(conditions, 0) && count(conditions) <= MOST_CONDITIONS_IN_ALL && intervals(conditions) <= MOST_INTERVALS && bytes() <= MOST_BYTES;
    }

    private int bytes()
    {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        write(options);
        writeTypes(options);
        return options.toString().getBytes(UTF_8).length;
    }

    private static boolean areWithinLimits(List<ScanCondition> conditions, int depth)
    {
        return depth <= MOST_CHOICES_WITHIN_EACH_OTHER && conditions.size() <= MOST_CONDITIONS && conditions.stream().allMatch(condition -> !(condition instanceof Choice(List<List<ScanCondition>> alternatives))
                || (alternatives.size() <= MOST_CONDITIONS && alternatives.stream().allMatch(alternative -> areWithinLimits(alternative, depth + 1))));
    }

    private static int count(List<ScanCondition> conditions)
    {
        return conditions.stream().mapToInt(condition -> condition instanceof Choice(List<List<ScanCondition>> alternatives) ? 1 + alternatives.stream().mapToInt(ScannedRows::count).sum() : 1).sum();
    }

    private static int intervals(List<ScanCondition> conditions)
    {
        return conditions.stream()
                .mapToInt(condition -> switch (condition) {
                    case Filter filter -> filter.intervals().size();
                    case Comparison _ -> 1;
                    case Choice choice -> choice.alternatives().stream().mapToInt(ScannedRows::intervals).sum();
                })
                .sum();
    }

    /** Adds the members {@code columns} and {@code filters}. */
    void write(ObjectNode options)
    {
        ArrayNode wanted = options.putArray("columns");
        columns.forEach(column -> wanted.addArray().add(column.name()).add(column.layout()));
        options.set("filters", write(conditions));
    }

    /** Adds the member {@code types}, if there are some. */
    void writeTypes(ObjectNode options)
    {
        if (!types.isEmpty()) {
            ObjectNode planned = options.putObject("types");
            types.forEach(planned::put);
        }
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
}
