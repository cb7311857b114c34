package io.mysqlpq.trino.key;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;

/**
 * Compares one key column with a value, in index order.
 *
 * <p>NULL is the first value of an ascending column and the last of a descending one. Every row satisfies exactly
 * one of before, equal and after.
 */
record ColumnComparison(KeyColumn column, String quotedName, KeyValue value)
{
    /** Returns conditions. If any of them is true, the row's value comes later in the index. None if nothing can come later. */
    List<String> after()
    {
        return column.descending() ? smaller() : greater();
    }

    /** Returns conditions. If any of them is true, the row's value is this one, or comes later in the index. */
    List<String> atOrAfter()
    {
        boolean nullIsAfter = column.nullable() && column.descending();
        if (value instanceof IntegerKeyValue integer && !integer.mayBeYear() && column.listedUpTo().isEmpty() && !nullIsAfter) {
            return ImmutableList.of(quotedName + (column.descending() ? " <= " : " >= ") + literal());
        }
        return ImmutableList.<String>builder().addAll(after()).add(equal()).build();
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
        if (isNull()) {
            return ImmutableList.of(quotedName + " IS NOT NULL");
        }
        return column.listedUpTo().map(greatest -> listed(number() + 1, greatest.number().intValueExact())).orElseGet(() -> ImmutableList.of(quotedName + " > " + literal()));
    }

    private List<String> smaller()
    {
        if (isNull()) {
            return ImmutableList.of();
        }
        ImmutableList.Builder<String> smaller = ImmutableList.builder();
        smaller.addAll(column.listedUpTo().isPresent() ? listed(0, number() - 1) : ImmutableList.of(quotedName + " < " + literal()));
        if (column.nullable()) {
            smaller.add(quotedName + " IS NULL");
        }
        return smaller.build();
    }

    // MySQL compares ENUM and SET by number, but by < and > it reads the whole index.
    private List<String> listed(int from, int to)
    {
        if (from > to) {
            return ImmutableList.of();
        }
        return ImmutableList.of(IntStream.rangeClosed(from, to).mapToObj(Integer::toString).collect(joining(", ", quotedName + " IN (", ")")));
    }

    private int number()
    {
        return ((IntegerKeyValue) value).number().intValueExact();
    }

    private boolean isNull()
    {
        return value instanceof NullKeyValue;
    }

    private String literal()
    {
        return KeyLiteral.of(column, value);
    }
}
