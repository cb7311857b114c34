package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.trino.spi.TrinoException;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_MALFORMED_REPLY;

/** Reads members of a reply strictly. A member that is missing or of another type is a failure, never a default. */
final class ReplyFields
{
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    private final String function;
    private final JsonNode object;

    private ReplyFields(String function, JsonNode object)
    {
        this.function = function;
        if (!object.isObject()) {
            throw malformed(function, "not an object", null);
        }
        this.object = object;
    }

    static ReplyFields parse(String function, String reply)
    {
        if (reply == null) {
            throw malformed(function, "NULL", null);
        }
        try {
            return new ReplyFields(function, MAPPER.readTree(reply));
        }
        catch (JsonProcessingException e) {
            throw malformed(function, "not JSON", e);
        }
    }

    String text(String member)
    {
        return required(member, JsonNode::isTextual).textValue();
    }

    Optional<String> optionalText(String member)
    {
        return nullable(member, JsonNode::isTextual).map(JsonNode::textValue);
    }

    /** For a member that the protocol lets out. */
    Optional<String> textIfPresent(String member)
    {
        return object.has(member) ? Optional.of(text(member)) : Optional.empty();
    }

    boolean truth(String member)
    {
        return required(member, JsonNode::isBoolean).booleanValue();
    }

    int number(String member)
    {
        return required(member, ReplyFields::isInt).intValue();
    }

    long longNumber(String member)
    {
        return required(member, node -> node.canConvertToExactIntegral() && node.canConvertToLong()).longValue();
    }

    OptionalInt optionalNumber(String member)
    {
        return nullable(member, ReplyFields::isInt).map(node -> OptionalInt.of(node.intValue())).orElseGet(OptionalInt::empty);
    }

    // A number that changes when it is cut to 32 bits is refused.
    private static boolean isInt(JsonNode node)
    {
        return node.canConvertToExactIntegral() && node.canConvertToInt();
    }

    List<Long> numbers(String member)
    {
        ImmutableList.Builder<Long> numbers = ImmutableList.builder();
        for (JsonNode element : required(member, JsonNode::isArray)) {
            if (!element.isIntegralNumber() || !element.canConvertToLong() || element.longValue() < 0) {
                throw malformed("%s does not hold counts".formatted(member), null);
            }
            numbers.add(element.longValue());
        }
        return numbers.build();
    }

    Optional<List<Long>> optionalNumbers(String member)
    {
        return nullable(member, JsonNode::isArray).map(_ -> numbers(member));
    }

    /** For a member that the protocol lets out. */
    Optional<List<Long>> numbersIfPresent(String member)
    {
        return object.has(member) ? Optional.of(numbers(member)) : Optional.empty();
    }

    /** Reads texts. None for a member that the protocol may leave out. */
    List<String> textsIfPresent(String member)
    {
        ImmutableList.Builder<String> texts = ImmutableList.builder();
        for (JsonNode element : object.has(member) ? array(member) : ImmutableList.<JsonNode>of()) {
            if (!element.isTextual()) {
                throw malformed("%s does not hold texts".formatted(member), null);
            }
            texts.add(element.textValue());
        }
        return texts.build();
    }

    JsonNode array(String member)
    {
        return required(member, JsonNode::isArray);
    }

    List<ReplyFields> objects(String member)
    {
        ImmutableList.Builder<ReplyFields> objects = ImmutableList.builder();
        array(member).forEach(element -> objects.add(new ReplyFields(function, element)));
        return objects.build();
    }

    private JsonNode required(String member, Predicate<JsonNode> type)
    {
        return nullable(member, type).orElseThrow(() -> malformed("%s is null".formatted(member), null));
    }

    private Optional<JsonNode> nullable(String member, Predicate<JsonNode> type)
    {
        JsonNode node = object.get(member);
        if (node == null) {
            throw malformed("%s is missing".formatted(member), null);
        }
        if (node.isNull()) {
            return Optional.empty();
        }
        if (!type.test(node)) {
            throw malformed("%s is of another type".formatted(member), null);
        }
        return Optional.of(node);
    }

    TrinoException malformed(String what, Exception cause)
    {
        return malformed(function, what, cause);
    }

    private static TrinoException malformed(String function, String what, Exception cause)
    {
        return new TrinoException(
                MYSQL_PQ_MALFORMED_REPLY,
                "Malformed reply of %s: %s. Install the extension and the connector of one release. To read without the extension, set range_source to NONE and snapshot_mode to PER_SCAN".formatted(function, what),
                cause);
    }
}
