package io.mysqlpq.trino.dictionary;

import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyEncoding;

import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

import static java.math.BigInteger.ONE;

/**
 * Holds one column of an index as MySQL's dictionary describes it.
 *
 * @param dataType such as {@code enum}
 * @param columnType such as {@code enum('a','b')}
 * @param prefixLength characters or bytes that the index holds, if not all
 */
record DictionaryColumn(String name, String dataType, String columnType, boolean nullable, boolean descending, OptionalInt prefixLength, Optional<String> charset, Optional<String> collation)
{
    // A quote within a member is doubled.
    private static final Pattern MEMBER = Pattern.compile("'(?:[^']|'')*+'");
    // These compare two strings in one way and sort them in another.
    private static final Set<String> WITHOUT_ORDER = Set.of("gb18030_chinese_ci");
    private static final String WITHOUT_ORDER_OF_CHAR = "tis620_thai_ci";

    /** Returns the column as a part of a key. Empty if its values cannot be read, or have no order that ranges could follow. */
    Optional<KeyColumn> keyColumn()
    {
        if (collation.filter(this::hasNoOrder).isPresent()) {
            return Optional.empty();
        }
        return encoding().map(encoding -> new KeyColumn(
                name,
                encoding,
                nullable,
                descending,
                encoding == KeyEncoding.TEXT ? charset : Optional.empty(),
                encoding == KeyEncoding.TEXT ? collation : Optional.empty(),
                prefixLength,
                listedUpTo()));
    }

    private boolean hasNoOrder(String collationName)
    {
        return WITHOUT_ORDER.contains(collationName) || (dataType.equals("char") && collationName.equals(WITHOUT_ORDER_OF_CHAR));
    }

    private Optional<KeyEncoding> encoding()
    {
        return switch (dataType) {
            case "tinyint", "smallint", "mediumint", "int", "bigint", "bit", "year", "enum", "set" -> Optional.of(KeyEncoding.INTEGER);
            case "decimal" -> Optional.of(KeyEncoding.DECIMAL);
            case "float", "double" -> Optional.of(KeyEncoding.DOUBLE);
            case "date" -> Optional.of(KeyEncoding.DATE);
            case "datetime", "timestamp" -> Optional.of(KeyEncoding.DATETIME);
            case "time" -> Optional.of(KeyEncoding.TIME);
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> Optional.of(KeyEncoding.BINARY);
            case "char", "varchar", "tinytext", "text", "mediumtext", "longtext" -> Optional.of(KeyEncoding.TEXT);
            default -> Optional.empty();
        };
    }

    private Optional<IntegerKeyValue> listedUpTo()
    {
        int members = (int) MEMBER.matcher(columnType).results().count();
        return switch (dataType) {
            case "enum" -> Optional.of(IntegerKeyValue.of(BigInteger.valueOf(members)));
            case "set" -> Optional.of(IntegerKeyValue.of(ONE.shiftLeft(members).subtract(ONE)));
            default -> Optional.empty();
        };
    }
}
