package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;

import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.SCAN_FUNCTION;
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
        List<ScanFilter> filters,
        KeyRange range,
        Optional<KeyBound> after)
{
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
        filters = ImmutableList.copyOf(filters);
        requireNonNull(range, "range is null");
        requireNonNull(after, "after is null");
    }

    public ScanRequest withFilters(List<ScanFilter> more)
    {
        return new ScanRequest(schema, table, index, token, partition, columns, ImmutableList.<ScanFilter>builder().addAll(filters).addAll(more).build(), range, after);
    }

    public ScanRequest after(KeyBound last)
    {
        return new ScanRequest(schema, table, index, token, partition, columns, filters, range, Optional.of(last));
    }

    /** The {@code options} argument. */
    public String options()
    {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        ArrayNode wanted = options.putArray("columns");
        columns.forEach(column -> wanted.addArray().add(column.name()).add(column.layout()));
        ArrayNode kept = options.putArray("filters");
        filters.forEach(filter -> kept.add(write(filter)));
        partition.ifPresent(name -> options.put("partition", name));
        after.ifPresentOrElse(
                bound -> options.set("after", KeyBounds.write(bound)),
                () -> range.lower().ifPresent(bound -> options.set("lower", KeyBounds.write(bound))));
        range.upper().ifPresent(bound -> options.set("upper", KeyBounds.write(bound)));
        return options.toString();
    }

    private static ObjectNode write(ScanFilter filter)
    {
        ObjectNode written = JsonNodeFactory.instance.objectNode().put("column", filter.column());
        ArrayNode intervals = written.putArray("intervals");
        for (ScanFilter.Interval interval : filter.intervals()) {
            intervals.addArray()
                    .add(interval.low().orElse(null))
                    .add(interval.lowInclusive())
                    .add(interval.high().orElse(null))
                    .add(interval.highInclusive());
        }
        return written.put("nulls", filter.nullPasses());
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
