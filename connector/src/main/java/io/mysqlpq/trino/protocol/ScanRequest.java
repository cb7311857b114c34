package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
 * @param aggregation what to send of the rows instead of them
 * @param validation asks for validators; empty if none is wanted
 * @param form how batches come
 */
public record ScanRequest(
        String schema,
        String table,
        String index,
        String token,
        Optional<String> partition,
        ScannedRows rows,
        KeyRange range,
        Optional<KeyBound> after,
        Optional<ScanAggregation> aggregation,
        Optional<ScanValidation> validation,
        BatchForm form)
{
    public ScanRequest
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
        requireNonNull(index, "index is null");
        requireNonNull(token, "token is null");
        requireNonNull(partition, "partition is null");
        requireNonNull(rows, "rows is null");
        requireNonNull(range, "range is null");
        requireNonNull(after, "after is null");
        requireNonNull(aggregation, "aggregation is null");
        requireNonNull(validation, "validation is null");
        requireNonNull(form, "form is null");
    }

    public ScanRequest with(List<ScanCondition> more)
    {
        return new ScanRequest(schema, table, index, token, partition, rows.with(more), range, after, aggregation, validation, form);
    }

    /** Returns a request for other rows of the same range. */
    public ScanRequest of(ScannedRows other)
    {
        return new ScanRequest(schema, table, index, token, partition, other, range, after, aggregation, validation, form);
    }

    /** Returns the same request for another range. */
    public ScanRequest within(KeyRange narrower)
    {
        return new ScanRequest(schema, table, index, token, partition, rows, narrower, after, aggregation, validation, form);
    }

    /**
     * Returns a request for the rest of the range.
     *
     * @param cursor the key, as the extension wrote it
     * @param known the known pieces of the rest
     * @param pieces how many there are before
     */
    public ScanRequest after(KeyBound last, String cursor, List<ScannedPiece> known, int pieces)
    {
        // The rest of a range that is one piece is not what a validator is of.
        return validation.isPresent() && validation.get().isOfPieces()
                ? validated(validation.map(asked -> asked.goOn(cursor, known, pieces)))
                : new ScanRequest(schema, table, index, token, partition, rows, range, Optional.of(last), aggregation, Optional.empty(), form);
    }

    /** Returns a request for groups of the rows. */
    public ScanRequest aggregated(ScanAggregation groups)
    {
        return new ScanRequest(schema, table, index, token, partition, rows, range, after, Optional.of(groups), validation, form);
    }

    /** Returns the same request, whose batches come in another form. */
    public ScanRequest in(BatchForm other)
    {
        return new ScanRequest(schema, table, index, token, partition, rows, range, after, aggregation, validation, other);
    }

    public ScanRequest validated(Optional<ScanValidation> asked)
    {
        return new ScanRequest(schema, table, index, token, partition, rows, range, after, aggregation, asked, form);
    }

    public boolean isTyped()
    {
        return !rows.types().isEmpty();
    }

    public ScanRequest untyped()
    {
        return new ScanRequest(schema, table, index, token, partition, rows.untyped(), range, after, aggregation, validation, form);
    }

    /** Whether the extension accepts as many conditions, nested as deeply and with as many values. */
    public boolean isWithinLimits()
    {
        return rows.isWithinLimits();
    }

    /** The {@code options} argument. */
    public String options()
    {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        rows.write(options);
        rows.writeTypes(options);
        aggregation.ifPresent(groups -> groups.write(options));
        partition.ifPresent(name -> options.put("partition", name));
        switch (form) {
            case WIDE -> {}
            case NARROW -> options.put("compression", "narrow");
            case COMPRESSED -> options.put("compression", "zstd");
        }
        after.ifPresentOrElse(
                bound -> options.set("after", KeyBounds.write(bound)),
                () -> range.lower().ifPresent(bound -> options.set("lower", KeyBounds.write(bound))));
        range.upper().ifPresent(bound -> options.set("upper", KeyBounds.write(bound)));
        return options.toString();
    }

    /** Returns the argument that allows {@code count} batches. */
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
