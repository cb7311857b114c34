package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Says what a native scan computes of groups of rows, instead of sending the rows.
 *
 * @param expressions what is computed of each row. Their places are behind those of the columns that are scanned
 * @param groups places of the columns and expressions to group by
 * @param batchGroups how many groups fill a batch. A group may come again in a later one
 */
public record ScanAggregation(List<Expression> expressions, List<Integer> groups, List<Function> functions, int batchGroups)
{
    // As docs/protocol.md has them.
    private static final int MOST_GROUP_COLUMNS = 64;
    private static final int MOST_FUNCTIONS = 256;
    private static final int MOST_EXPRESSIONS = 256;

    /**
     * @param form as the protocol has it
     * @param layout how its values are laid out, as the protocol names it
     */
    public record Expression(JsonNode form, String layout)
    {
        public Expression
        {
            requireNonNull(form, "form is null");
            requireNonNull(layout, "layout is null");
        }
    }

    /**
     * @param name as the protocol has it
     * @param arguments their places among columns and expressions; none for a count of rows
     */
    public record Function(String name, List<Integer> arguments)
    {
        public Function
        {
            requireNonNull(name, "name is null");
            arguments = ImmutableList.copyOf(arguments);
        }
    }

    public ScanAggregation
    {
        expressions = ImmutableList.copyOf(expressions);
        groups = ImmutableList.copyOf(groups);
        functions = ImmutableList.copyOf(functions);
    }

    /** Whether the extension accepts as much. */
    public boolean isWithinLimits()
    {
        return groups.size() <= MOST_GROUP_COLUMNS && functions.size() <= MOST_FUNCTIONS && expressions.size() <= MOST_EXPRESSIONS;
    }

    /** Adds the members {@code aggregate}, {@code expressions} and {@code rows}. */
    void write(ObjectNode options)
    {
        ArrayNode computed = options.putArray("expressions");
        expressions.forEach(expression -> computed.addArray().add(expression.form()).add(expression.layout()));
        options.put("rows", batchGroups);
        ObjectNode written = options.putObject("aggregate");
        ArrayNode places = written.putArray("groups");
        groups.forEach(places::add);
        ArrayNode called = written.putArray("functions");
        for (Function function : functions) {
            ArrayNode call = called.addArray().add(function.name());
            function.arguments().forEach(call::add);
        }
    }
}
