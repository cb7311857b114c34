package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.BinaryKeyValue;
import io.mysqlpq.trino.key.DateKeyValue;
import io.mysqlpq.trino.key.DatetimeKeyValue;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.NullKeyValue;
import io.mysqlpq.trino.key.NumericKeyValue;
import io.mysqlpq.trino.key.TextKeyValue;
import io.mysqlpq.trino.key.TimeKeyValue;

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

    // The key types admit nothing but digits, their separators, hex and plain identifiers, so a literal cannot become other SQL.
    // Not _utf8mb4 X'..': MySQL 9.7 takes two such literals that differ in case only for one, whatever their collation.
    private String literal()
    {
        return switch (value) {
            case NullKeyValue _ -> throw new IllegalStateException("NULL has no literal here");
            case NumericKeyValue number -> number.digits();
            case DateKeyValue date -> date.literal().orElseThrow();
            case DatetimeKeyValue dateTime -> dateTime.literal().orElseThrow();
            case TimeKeyValue time -> "TIME'%s'".formatted(time.time());
            case BinaryKeyValue binary -> "X'%s'".formatted(binary.hex());
            case TextKeyValue text -> "CONVERT(X'%s' USING %s) COLLATE %s".formatted(text.hex(), column.charset().orElseThrow(), column.collation().orElseThrow());
        };
    }
}
