package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Says what a native scan reads of a table: columns of the rows that pass all conditions.
 *
 * @param types the types that the caller relies on, as the protocol writes them. The extension refuses the scan if a column has another
 * type
 * @param where what has to be true of a row that passes the conditions, in the protocol's form
 * @param first which of these rows are wanted, if not all are
 */
public record ScannedRows(List<Column> columns, Map<String, String> types, List<ScanCondition> conditions, List<JsonNode> where, Optional<FirstRows> first)
{
    // As docs/protocol.md has them. The other options take less than what is left of 256 KB.
    private static final int MOST_BYTES = 192 * 1024;
    private static final int MOST_CONDITIONS = 64;
    private static final int MOST_CONDITIONS_IN_ALL = 256;
    private static final int MOST_CHOICES_WITHIN_EACH_OTHER = 2;
    private static final int MOST_INTERVALS = 4_096;
    private static final int MOST_EXPRESSIONS = 256;
    private static final int MOST_ORDER_COLUMNS = 16;
    private static final long MOST_FIRST_ROWS = 65_536;

    /** @param layout how the column's values are laid out, as the protocol names it */
    public record Column(String name, String layout)
    {
        public Column
        {
            requireNonNull(name, "name is null");
            requireNonNull(layout, "layout is null");
        }
    }

    /** Wants the rows that can be among the first ones in an order. Others may come too. */
    public record FirstRows(long count, List<Order> order)
    {
        public FirstRows
        {
            order = ImmutableList.copyOf(order);
        }
    }

    /** One column of an order, by its name. */
    public record Order(String column, boolean ascending, boolean nullsFirst)
    {
        public Order
        {
            requireNonNull(column, "column is null");
        }
    }

    public ScannedRows
    {
        columns = ImmutableList.copyOf(columns);
        types = ImmutableMap.copyOf(types);
        conditions = ImmutableList.copyOf(conditions);
        where = ImmutableList.copyOf(where);
        requireNonNull(first, "first is null");
    }

    /** Wants all rows that pass the conditions. */
    public ScannedRows(List<Column> columns, Map<String, String> types, List<ScanCondition> conditions)
    {
        this(columns, types, conditions, ImmutableList.of(), Optional.empty());
    }

    ScannedRows with(List<ScanCondition> more)
    {
        return new ScannedRows(columns, types, ImmutableList.<ScanCondition>builder().addAll(conditions).addAll(more).build(), where, first);
    }

    /** Returns the same of the rows for which these expressions are true too. */
    public ScannedRows where(List<JsonNode> more)
    {
        return new ScannedRows(columns, types, conditions, ImmutableList.<JsonNode>builder().addAll(where).addAll(more).build(), first);
    }

    /** Returns other columns of the same rows. */
    public ScannedRows withColumns(List<Column> others)
    {
        return new ScannedRows(others, types, conditions, where, first);
    }

    /** Returns all of these rows, not only the first ones. */
    public ScannedRows all()
    {
        return new ScannedRows(columns, types, conditions, where, Optional.empty());
    }

    /** Returns the same for an earlier extension, which does not know types. */
    ScannedRows untyped()
    {
        return new ScannedRows(columns, ImmutableMap.of(), conditions, where, first);
    }

    /** Whether the extension accepts as many conditions, nested as deeply and with as many values. */
    public boolean isWithinLimits()
    {
        return where.size() <= MOST_EXPRESSIONS
                && first.map(rows -> rows.count() <= MOST_FIRST_ROWS && rows.order().size() <= MOST_ORDER_COLUMNS).orElse(true)
                && areWithinLimits(conditions, 0)
                && count(conditions) <= MOST_CONDITIONS_IN_ALL
                && intervals(conditions) <= MOST_INTERVALS
                && bytes() <= MOST_BYTES;
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

    /** Adds the members {@code columns} and {@code filters}, and {@code where} and {@code first} if they are wanted. */
    void write(ObjectNode options)
    {
        ArrayNode wanted = options.putArray("columns");
        columns.forEach(column -> wanted.addArray().add(column.name()).add(column.layout()));
        options.set("filters", write(conditions));
        if (!where.isEmpty()) {
            options.putArray("where").addAll(where);
        }
        first.ifPresent(rows -> write(rows, options.putObject("first")));
    }

    private static void write(FirstRows rows, ObjectNode written)
    {
        ArrayNode order = written.put("rows", rows.count()).putArray("order");
        for (Order column : rows.order()) {
            ArrayNode one = order.addArray();
            one.addArray().add("column").add(column.column());
            one.add(column.ascending() ? "ascending" : "descending").add(column.nullsFirst() ? "nulls_first" : "nulls_last");
        }
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
