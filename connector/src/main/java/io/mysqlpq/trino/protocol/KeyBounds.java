package io.mysqlpq.trino.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyValue;

import java.util.List;

/** Reads and writes the values of a key as the extension has them. */
final class KeyBounds
{
    private KeyBounds()
    {}

    static ArrayNode write(KeyBound bound)
    {
        ArrayNode values = JsonNodeFactory.instance.arrayNode();
        bound.values().forEach(value -> values.add(value.toProtocol().orElse(null)));
        return values;
    }

    /** A key of all columns. */
    static KeyBound read(ReplyFields fields, List<KeyColumn> columns, JsonNode values)
    {
        if (!values.isArray() || values.size() != columns.size()) {
            throw fields.malformed("a boundary is not an array of %d values".formatted(columns.size()), null);
        }
        ImmutableList.Builder<KeyValue> keyValues = ImmutableList.builder();
        for (int i = 0; i < columns.size(); i++) {
            keyValues.add(value(fields, columns.get(i), values.get(i)));
        }
        return new KeyBound(keyValues.build());
    }

    private static KeyValue value(ReplyFields fields, KeyColumn column, JsonNode value)
    {
        if (!value.isTextual() && !value.isNull()) {
            throw fields.malformed("a value of key column %s is neither a string nor null".formatted(column.name()), null);
        }
        try {
            KeyValue keyValue = KeyValue.fromProtocol(column, value.textValue());
            if (!keyValue.fits(column)) {
                throw fields.malformed("a value of key column %s is NULL".formatted(column.name()), null);
            }
            return keyValue;
        }
        catch (IllegalArgumentException e) {
            throw fields.malformed("a value of key column %s: %s".formatted(column.name(), e.getMessage()), e);
        }
    }
}
