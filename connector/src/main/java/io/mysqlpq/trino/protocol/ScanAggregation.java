package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/**
 * Says what a native scan computes of groups of rows, instead of sending the rows.
 *
 * @param groups places of the columns to group by, among those that are scanned
 * @param maxGroups most groups that the extension keeps
 */
public record ScanAggregation(List<Integer> groups, List<Function> functions, int maxGroups)
{
    // As docs/protocol.md has them.
    private static final int MOST_GROUP_COLUMNS = 64;
    private static final int MOST_FUNCTIONS = 256;

    /**
     * @param name as the protocol has it
     * @param column the place of the argument; empty for a count of rows
     */
    public record Function(String name, OptionalInt column)
    {
        public Function
        {
            requireNonNull(name, "name is null");
            requireNonNull(column, "column is null");
        }
    }

    public ScanAggregation
    {
        groups = ImmutableList.copyOf(groups);
        functions = ImmutableList.copyOf(functions);
    }

    /** Whether the extension accepts as many columns and functions. */
    public boolean isWithinLimits()
    {
        return groups.size() <= MOST_GROUP_COLUMNS && functions.size() <= MOST_FUNCTIONS;
    }

    /** Adds the member {@code aggregate}. */
    void write(ObjectNode options)
    {
        ObjectNode written = options.putObject("aggregate");
        ArrayNode places = written.putArray("groups");
        groups.forEach(places::add);
        ArrayNode called = written.putArray("functions");
        for (Function function : functions) {
            ArrayNode call = called.addArray().add(function.name());
            function.column().ifPresent(call::add);
        }
        written.put("max_groups", maxGroups);
    }
}
