package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.NullKeyValue;
import io.mysqlpq.trino.key.TextKeyValue;

import java.util.List;

/**
 * Compares one key column with a value, in index order.
 *
 * <p>NULL is the first value of an ascending column and the last of a descending one. Every row satisfies exactly
 * one of before, equal and after.
 */
record ColumnComparison(KeyColumn column, String quotedName, KeyValue value)
{
    /** Conditions of which any means that the row's value comes later in the index; none if nothing can. */
    List<String> after()
    {
        return column.descending() ? smaller() : greater();
    }

    List<String> before()
    {
        return column.descending() ? greater() : smaller();
    }

    String equal()
    {
        return isNull() ? quotedName + " IS NULL" : quotedName + " = " + literal();
    }

    private List<String> greater()
    {
        return ImmutableList.of(isNull() ? quotedName + " IS NOT NULL" : quotedName + " > " + literal());
    }

    private List<String> smaller()
    {
        if (isNull()) {
            return ImmutableList.of();
        }
        String smaller = quotedName + " < " + literal();
        return column.nullable() ? ImmutableList.of(smaller, quotedName + " IS NULL") : ImmutableList.of(smaller);
    }

    private boolean isNull()
    {
        return value instanceof NullKeyValue;
    }

    // The key types admit nothing but digits, hex and plain identifiers, so a literal cannot become other SQL.
    // Not _utf8mb4 X'..': MySQL 9.7 takes two such literals that differ in case only for one, whatever their collation.
    private String literal()
    {
        return switch (value) {
            case NullKeyValue _ -> throw new IllegalStateException("NULL has no literal here");
            case IntegerKeyValue integer -> integer.digits();
            case TextKeyValue text -> "CONVERT(X'%s' USING %s) COLLATE %s".formatted(text.hex(), column.charset().orElseThrow(), column.collation().orElseThrow());
        };
    }
}
