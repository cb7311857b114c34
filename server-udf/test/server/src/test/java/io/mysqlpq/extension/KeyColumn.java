package io.mysqlpq.extension;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Describes one column of the physical key as a reply names it; charset, collation and prefix may be null.
 */
public record KeyColumn(
        String name,
        String type,
        String encoding,
        boolean unsigned,
        boolean nullable,
        boolean descending,
        String charset,
        String collation,
        Integer prefix)
{
    static KeyColumn from(JsonNode node)
    {
        return new KeyColumn(
                node.required("name").textValue(),
                node.required("type").textValue(),
                node.required("encoding").textValue(),
                node.required("unsigned").booleanValue(),
                node.required("nullable").booleanValue(),
                node.required("descending").booleanValue(),
                node.required("charset").textValue(),
                node.required("collation").textValue(),
                node.required("prefix").isNull() ? null : node.required("prefix").intValue());
    }

    // A prefix key part orders rows by the prefix alone.
    String expression()
    {
        String quoted = "`" + name.replace("`", "``") + "`";
        if (type.equals("set")) {
            // MySQL 9.7 compares a SET as a signed number: of 64 members, the last alone is less than none.
            return "CAST(%s AS UNSIGNED)".formatted(quoted);
        }
        return prefix == null ? quoted : "LEFT(%s, %s)".formatted(quoted, prefix);
    }

    // The same order over a column that holds the value itself, not a longer one.
    KeyColumn renamed(String newName)
    {
        return new KeyColumn(newName, type, encoding, unsigned, nullable, descending, charset, collation, null);
    }

    String literal(String value)
    {
        if (value == null) {
            return "NULL";
        }
        return switch (encoding) {
            case "integer", "decimal", "double" -> value;
            // A session that takes any date as it is, and whose zone is UTC: see RangeLaw.
            case "date" -> "CAST('%s' AS DATE)".formatted(value);
            case "datetime" -> "CAST('%s' AS DATETIME(6))".formatted(value);
            case "time" -> "CAST('%s' AS TIME(6))".formatted(value);
            case "binary" -> "x'%s'".formatted(value);
            // MySQL 9.7 takes _utf8mb4 x'62' COLLATE utf8mb4_bin and ... x'42' ... for the same literal and drops one of two conditions.
            case "text" -> "(CONVERT(x'%s' USING %s) COLLATE %s)".formatted(value, charset, collation);
            default -> throw new AssertionError("Unknown encoding: " + encoding);
        };
    }
}
