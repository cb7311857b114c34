package io.mysqlpq.trino.key;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Holds one column's value of a key, typed, so that no value can turn into other SQL than its own literal. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@type")
@JsonSubTypes({
        @JsonSubTypes.Type(value = NullKeyValue.class, name = "null"),
        @JsonSubTypes.Type(value = IntegerKeyValue.class, name = "integer"),
        @JsonSubTypes.Type(value = TextKeyValue.class, name = "text"),
})
public sealed interface KeyValue
        permits NullKeyValue, IntegerKeyValue, TextKeyValue
{
    /** Whether a column may hold this value. */
    boolean fits(KeyColumn column);

    /** Reads the protocol's form of a value; null stands for SQL NULL. */
    static KeyValue fromProtocol(KeyColumn column, String value)
    {
        if (value == null) {
            return new NullKeyValue();
        }
        return switch (column.encoding()) {
            case INTEGER -> new IntegerKeyValue(value);
            case TEXT -> new TextKeyValue(value);
        };
    }
}
