package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyRange;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Asks for at most {@code count} even ranges of one index.
 *
 * @param partition the (sub)partition to cut, required if and only if the table has some
 * @param within the range of the index to plan in
 * @param leafKeys whether to cut a small table at keys of its rows too, if it has too few pages
 * @param offPage columns of the clustered index whose values make a range heavy even if InnoDB keeps them off-page
 * @param rows what native scans are to read of each range. The request is refused unless they can, whatever the rows hold
 */
public record RangesRequest(String schema, String table, String index, Optional<String> partition, int count, KeyRange within, boolean leafKeys, List<String> offPage, Optional<ScannedRows> rows)
{
    public RangesRequest(String schema, String table, String index, int count, KeyRange within)
    {
        this(schema, table, index, Optional.empty(), count, within, false, ImmutableList.of(), Optional.empty());
    }

    public RangesRequest
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
        requireNonNull(index, "index is null");
        requireNonNull(partition, "partition is null");
        requireNonNull(within, "within is null");
        offPage = ImmutableList.copyOf(offPage);
        requireNonNull(rows, "rows is null");
        checkArgument(count > 0, "count is not positive: %s", count);
    }

    public RangesRequest ofPartition(String name, int ranges)
    {
        return new RangesRequest(schema, table, index, Optional.of(name), ranges, within, leafKeys, offPage, rows);
    }

    public RangesRequest withLeafKeys(boolean leafKeys)
    {
        return new RangesRequest(schema, table, index, partition, count, within, leafKeys, offPage, rows);
    }

    public RangesRequest withOffPage(List<String> columns)
    {
        return new RangesRequest(schema, table, index, partition, count, within, leafKeys, columns, rows);
    }

    public RangesRequest withRows(Optional<ScannedRows> rows)
    {
        return new RangesRequest(schema, table, index, partition, count, within, leafKeys, offPage, rows);
    }

    /** The {@code options} argument, if one is needed. */
    public Optional<String> options()
    {
        if (within.isAll() && partition.isEmpty() && !leafKeys && offPage.isEmpty() && rows.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        partition.ifPresent(name -> options.put("partition", name));
        within.lower().ifPresent(bound -> options.set("lower", KeyBounds.write(bound)));
        within.upper().ifPresent(bound -> options.set("upper", KeyBounds.write(bound)));
        if (leafKeys) {
            options.put("leaf", true);
        }
        if (!offPage.isEmpty()) {
            ArrayNode columns = options.putArray("off_page");
            offPage.forEach(columns::add);
        }
        rows.ifPresent(scanned -> scanned.write(options));
        return Optional.of(options.toString());
    }
}
