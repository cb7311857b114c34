package io.mysqlpq.trino.key;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

import java.util.Optional;

/** Holds one column's value of a key, typed, so that no value can turn into other SQL than its own literal. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@type")
@JsonSubTypes({
        @JsonSubTypes.Type(value = NullKeyValue.class, name = "null"),
        @JsonSubTypes.Type(value = IntegerKeyValue.class, name = "integer"),
        @JsonSubTypes.Type(value = DecimalKeyValue.class, name = "decimal"),
        @JsonSubTypes.Type(value = DoubleKeyValue.class, name = "double"),
        @JsonSubTypes.Type(value = DateKeyValue.class, name = "date"),
        @JsonSubTypes.Type(value = DatetimeKeyValue.class, name = "datetime"),
        @JsonSubTypes.Type(value = TimeKeyValue.class, name = "time"),
        @JsonSubTypes.Type(value = BinaryKeyValue.class, name = "binary"),
        @JsonSubTypes.Type(value = TextKeyValue.class, name = "text"),
})
public sealed interface KeyValue
        permits BinaryKeyValue, DateKeyValue, DatetimeKeyValue, NullKeyValue, NumericKeyValue, TextKeyValue, TimeKeyValue
{
    /** Whether a column may hold this value. */
    boolean fits(KeyColumn column);

    /** The protocol's form of the value; empty for SQL NULL. */
    Optional<String> toProtocol();

    /** Whether SQL has a literal that MySQL takes for this value, under the sql_mode that it has by default. */
    default boolean hasLiteral()
    {
        return true;
    }

    /** Reads the protocol's form of a value; null stands for SQL NULL. */
    static KeyValue fromProtocol(KeyColumn column, String value)
    {
        if (value == null) {
            return new NullKeyValue();
        }
        return switch (column.encoding()) {
            case INTEGER -> new IntegerKeyValue(value);
            case DECIMAL -> new DecimalKeyValue(value);
            case DOUBLE -> new DoubleKeyValue(value);
            case DATE -> new DateKeyValue(value);
            case DATETIME -> new DatetimeKeyValue(value);
            case TIME -> new TimeKeyValue(value);
            case BINARY -> new BinaryKeyValue(value);
            case TEXT -> new TextKeyValue(value);
        };
    }
}
