package io.mysqlpq.extension;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds a reply of mysql_pq_ranges, read strictly: a missing field is a failure.
 */
public record RangePlan(
        JsonNode reply,
        List<KeyColumn> columns,
        List<List<String>> boundaries,
        List<Long> rows,
        List<Long> pages,
        List<Long> bytes)
{
    private static final ObjectMapper JSON = new ObjectMapper();

    static RangePlan ask(Session session, String table, String index, long count)
    {
        return ask(session, table, index, count, null);
    }

    // The table is "schema.table".
    static RangePlan ask(Session session, String table, String index, long count, String options)
    {
        return parse(session.value(call(table, index, count, options)));
    }

    static String call(String table, String index, long count, String options)
    {
        String[] names = table.split("\\.", 2);
        String call = "SELECT mysql_pq_ranges('%s', '%s', '%s', %s".formatted(names[0], names[1], index, count);
        return call + (options == null ? ")" : ", '" + options + "')");
    }

    public static RangePlan parse(String text)
    {
        JsonNode reply = json(text);
        assertThat(reply.required("protocol").intValue()).isEqualTo(1);
        RangePlan plan = new RangePlan(
                reply,
                elements(reply.required("columns")).stream().map(KeyColumn::from).toList(),
                elements(reply.required("boundaries")).stream().map(RangePlan::key).toList(),
                numbers(reply.required("rows")),
                numbers(reply.required("pages")),
                reply.has("bytes") ? numbers(reply.get("bytes")) : null);
        plan.checkShape();
        return plan;
    }

    public static JsonNode json(String text)
    {
        assertThat(text).as("reply").isNotNull();
        try {
            return JSON.readTree(text);
        }
        catch (JsonProcessingException e) {
            throw new AssertionError("Not JSON: " + text, e);
        }
    }

    int count()
    {
        return boundaries.size() + 1;
    }

    String definition()
    {
        return reply.required("definition").textValue();
    }

    int level()
    {
        return reply.required("level").intValue();
    }

    public List<String> predicates()
    {
        KeyPredicate predicate = new KeyPredicate(columns);
        List<String> predicates = new ArrayList<>();
        for (int i = 0; i < count(); i++) {
            predicates.add(predicate.range(
                    i == 0 ? null : boundaries.get(i - 1),
                    i == boundaries.size() ? null : boundaries.get(i)));
        }
        return predicates;
    }

    private void checkShape()
    {
        assertThat(boundaries).allSatisfy(key -> assertThat(key).hasSameSizeAs(columns));
        if (rows != null) {
            assertThat(rows).hasSize(count()).allSatisfy(estimate -> assertThat(estimate).isNotNegative());
            assertThat(pages).hasSize(count()).allSatisfy(estimate -> assertThat(estimate).isNotNegative());
        }
        if (bytes != null) {
            assertThat(bytes).hasSize(count()).allSatisfy(estimate -> assertThat(estimate).isNotNegative());
        }
    }

    private static List<String> key(JsonNode values)
    {
        List<String> key = new ArrayList<>();
        for (JsonNode value : values) {
            assertThat(value.isTextual() || value.isNull()).as("key value %s", value).isTrue();
            key.add(value.textValue());
        }
        return key;
    }

    private static List<Long> numbers(JsonNode array)
    {
        return array.isNull() ? null : elements(array).stream().map(JsonNode::longValue).toList();
    }

    private static List<JsonNode> elements(JsonNode array)
    {
        assertThat(array.isArray()).as("array %s", array).isTrue();
        return StreamSupport.stream(array.spliterator(), false).toList();
    }
}
