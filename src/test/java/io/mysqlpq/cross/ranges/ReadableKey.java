package io.mysqlpq.cross.ranges;

import com.fasterxml.jackson.databind.JsonNode;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes a key of the extension's reply for people: text as text, where its character set is a common one. */
final class ReadableKey
{
    private static final int LONGEST_VALUE = 60;
    // MySQL's latin1 is Windows' code page.
    private static final Map<String, Charset> CHARSETS = Map.of("utf8mb4", UTF_8, "utf8mb3", UTF_8, "ascii", UTF_8, "latin1", Charset.forName("windows-1252"), "utf16", UTF_16BE);

    private ReadableKey()
    {}

    static String of(JsonNode columns, JsonNode key)
    {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            values.add(value(columns.required(i), key.get(i)));
        }
        return String.join(", ", values);
    }

    private static String value(JsonNode column, JsonNode value)
    {
        if (value.isNull()) {
            return "NULL";
        }
        String written = switch (column.required("encoding").textValue()) {
            case "text" -> text(value.textValue(), column.required("charset").asText());
            case "binary" -> "0x" + value.textValue();
            default -> value.textValue();
        };
        return written.codePointCount(0, written.length()) <= LONGEST_VALUE ? written : written.substring(0, written.offsetByCodePoints(0, LONGEST_VALUE)) + "…";
    }

    private static String text(String hex, String charset)
    {
        Charset known = CHARSETS.get(charset);
        return known == null ? "0x" + hex : "'" + new String(HexFormat.of().parseHex(hex), known) + "'";
    }
}
