package io.mysqlpq.cross.ranges;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A tree cut into ranges at one of its levels: a reply of {@code mysql_pq_ranges(...)}.
 *
 * @param level of the node pointers, or row keys, that the boundaries are; leaves are level 0
 * @param height levels of the tree; empty if the user may not see the table's size
 */
record TreeCut(String key, int level, Optional<Integer> height, List<DrawnRange> ranges)
{
    TreeCut
    {
        ranges = List.copyOf(ranges);
    }

    static TreeCut of(JsonNode reply)
    {
        JsonNode columns = reply.required("columns");
        List<String> names = new ArrayList<>();
        columns.forEach(column -> names.add(column.required("name").textValue() + (column.required("descending").booleanValue() ? " DESC" : "")));
        List<Optional<String>> ends = new ArrayList<>(List.of(Optional.empty()));
        reply.required("boundaries").forEach(boundary -> ends.add(Optional.of(ReadableKey.of(columns, boundary))));
        ends.add(Optional.empty());
        List<DrawnRange> ranges = new ArrayList<>();
        for (int i = 0; i < ends.size() - 1; i++) {
            ranges.add(new DrawnRange(ends.get(i), ends.get(i + 1), estimate(reply.required("rows"), i), estimate(reply.required("pages"), i)));
        }
        JsonNode height = reply.required("height");
        return new TreeCut(String.join(", ", names), reply.required("level").intValue(), height.isNull() ? Optional.empty() : Optional.of(height.intValue()), ranges);
    }

    private static Optional<Long> estimate(JsonNode estimates, int range)
    {
        return estimates.isNull() ? Optional.empty() : Optional.of(estimates.required(range).longValue());
    }

    long rows()
    {
        return ranges.stream().mapToLong(range -> range.rows().orElse(0L)).sum();
    }

    long pages()
    {
        return ranges.stream().mapToLong(range -> range.pages().orElse(0L)).sum();
    }

    long mostRows()
    {
        return ranges.stream().mapToLong(range -> range.rows().orElse(0L)).max().orElseThrow();
    }
}
