package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyEncoding;
import io.mysqlpq.trino.key.KeyRange;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.key.BoundOrder.mayPrecede;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.RANGES_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.checkProtocol;
import static io.mysqlpq.trino.protocol.UnsupportedReplyException.Reason.ENCODING;
import static java.util.Objects.requireNonNull;

/**
 * Decodes the reply of {@code mysql_pq_ranges(...)}.
 *
 * @param boundaries N - 1 full keys between N ranges, in index order
 * @param rows an estimate for each range, absent if the user may not see the table's size
 * @param bytes the same of its bytes, off-page too, where the extension weighed these
 * @param offPageBytes those of them that are off-page
 * @param pagesRead index pages that the walk read
 */
public record RangesReply(IndexKey key, String definition, List<KeyBound> boundaries, Optional<List<Long>> rows, Optional<List<Long>> bytes, Optional<List<Long>> offPageBytes, int pagesRead)
{
    public RangesReply
    {
        requireNonNull(key, "key is null");
        requireNonNull(definition, "definition is null");
        boundaries = ImmutableList.copyOf(boundaries);
        rows = rows.map(ImmutableList::copyOf);
        bytes = bytes.map(ImmutableList::copyOf);
        offPageBytes = offPageBytes.map(ImmutableList::copyOf);
    }

    /** Half-open and gap-free, so each row belongs to exactly one range. */
    public List<KeyRange> ranges()
    {
        ImmutableList.Builder<KeyRange> ranges = ImmutableList.builder();
        Optional<KeyBound> lower = Optional.empty();
        for (KeyBound boundary : boundaries) {
            ranges.add(new KeyRange(lower, Optional.of(boundary)));
            lower = Optional.of(boundary);
        }
        return ranges.add(new KeyRange(lower, Optional.empty())).build();
    }

    /** @param request what was asked; a reply to anything else is malformed */
    public static RangesReply decode(RangesRequest request, String reply)
            throws UnsupportedReplyException
    {
        ReplyFields fields = ReplyFields.parse(RANGES_FUNCTION, reply);
        checkProtocol(fields);
        checkEcho(fields, "schema", request.schema());
        checkEcho(fields, "table", request.table());
        checkEcho(fields, "index", request.index());
        request.partition().ifPresent(partition -> checkEcho(fields, "partition", partition));
        List<KeyColumn> columns = columns(fields);
        List<KeyBound> boundaries = boundaries(fields, columns);
        Optional<List<Long>> rows = fields.optionalNumbers("rows");
        Optional<List<Long>> bytes = fields.numbersIfPresent("bytes");
        Optional<List<Long>> offPageBytes = fields.numbersIfPresent("off_page_bytes");
        checkSize(fields, boundaries, "rows", rows);
        checkSize(fields, boundaries, "bytes", bytes);
        checkSize(fields, boundaries, "bytes off-page", offPageBytes);
        checkOffPage(fields, bytes, offPageBytes);
        return new RangesReply(
                new IndexKey(fields.text("index"), fields.truth("clustered"), columns),
                fields.text("definition"),
                boundaries,
                rows,
                bytes,
                offPageBytes,
                fields.number("pages_read"));
    }

    private static void checkSize(ReplyFields fields, List<KeyBound> boundaries, String what, Optional<List<Long>> estimates)
    {
        estimates.filter(all -> all.size() != boundaries.size() + 1).ifPresent(all -> {
            throw fields.malformed("%d boundaries but %d estimates of %s".formatted(boundaries.size(), all.size(), what), null);
        });
    }

    // Both are there or neither is, and the former count the latter too.
    private static void checkOffPage(ReplyFields fields, Optional<List<Long>> bytes, Optional<List<Long>> offPageBytes)
    {
        if (bytes.isPresent() != offPageBytes.isPresent()) {
            throw fields.malformed("one of bytes and off_page_bytes is missing", null);
        }
        bytes.ifPresent(all -> {
            for (int i = 0; i < all.size(); i++) {
                long offPage = offPageBytes.orElseThrow().get(i);
                if (offPage > all.get(i)) {
                    throw fields.malformed("range %d has %d bytes off-page of %d in all".formatted(i, offPage, all.get(i)), null);
                }
            }
        });
    }

    private static void checkEcho(ReplyFields fields, String name, String asked)
    {
        String answered = fields.text(name);
        if (!answered.equals(asked)) {
            throw fields.malformed("%s is %s, but %s was asked for".formatted(name, answered, asked), null);
        }
    }

    private static List<KeyColumn> columns(ReplyFields fields)
            throws UnsupportedReplyException
    {
        ImmutableList.Builder<KeyColumn> columns = ImmutableList.builder();
        for (ReplyFields column : fields.objects("columns")) {
            columns.add(column(column));
        }
        List<KeyColumn> all = columns.build();
        if (all.isEmpty()) {
            throw fields.malformed("columns is empty", null);
        }
        return all;
    }

    private static KeyColumn column(ReplyFields column)
            throws UnsupportedReplyException
    {
        String name = column.text("name");
        String encoding = column.text("encoding");
        KeyEncoding known = KeyEncoding.fromProtocol(encoding)
                .orElseThrow(() -> new UnsupportedReplyException(ENCODING, "key column %s has the unknown encoding %s".formatted(name, encoding)));
        try {
            return new KeyColumn(
                    name,
                    known,
                    column.truth("nullable"),
                    column.truth("descending"),
                    column.optionalText("charset"),
                    column.optionalText("collation"),
                    column.optionalNumber("prefix"),
                    column.textIfPresent("listed_up_to").map(IntegerKeyValue::new));
        }
        catch (IllegalArgumentException e) {
            throw column.malformed("key column %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    private static List<KeyBound> boundaries(ReplyFields fields, List<KeyColumn> columns)
    {
        ImmutableList.Builder<KeyBound> boundaries = ImmutableList.builder();
        HashSet<KeyBound> seen = new HashSet<>();
        KeyBound previous = null;
        for (JsonNode values : fields.array("boundaries")) {
            KeyBound boundary = KeyBounds.read(fields, columns, values);
            // Ranges out of order would overlap.
            if (!seen.add(boundary) || (previous != null && !mayPrecede(columns, previous, boundary))) {
                throw fields.malformed("boundaries are not in index order", null);
            }
            boundaries.add(boundary);
            previous = boundary;
        }
        return boundaries.build();
    }
}
