package io.mysqlpq.extension;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import static java.util.stream.Collectors.joining;

/**
 * Orders rows by columns and expressions, and finds the first ones.
 */
record RowOrder(List<RowOrder.Item> items)
{
    String option(int rows)
    {
        return "\"first\": {\"rows\": %d, \"order\": [%s]}, ".formatted(rows, items.stream().map(Item::option).collect(joining(", ")));
    }

    /** What the first rows are ordered by. Of rows that are equal in the order, any may be among them. */
    List<List<Object>> firstOf(List<List<Object>> rows, int count)
    {
        Comparator<List<Object>> comparator = items.stream().map(Item::comparator).reduce(Comparator::thenComparing).orElseThrow();
        return rows.stream().sorted(comparator).limit(count).map(row -> items.stream().map(column -> column.value(row)).toList()).toList();
    }

    /** @param place of a column, or of an expression behind the columns */
    record Item(int place, String expression, boolean isDouble, boolean descending, boolean nullsFirst)
    {
        String option()
        {
            return "[%s, \"%s\", \"%s\"]".formatted(expression, descending ? "descending" : "ascending", nullsFirst ? "nulls_first" : "nulls_last");
        }

        Object value(List<Object> row)
        {
            Object cell = row.get(place);
            return isDouble && cell != null ? (Object) number(cell) : TablePart.comparable(cell);
        }

        Comparator<List<Object>> comparator()
        {
            Comparator<Object> values = isDouble
                    ? Comparator.comparingDouble(Item::number)
                    : (left, right) -> left instanceof byte[] bytes ? Arrays.compareUnsigned(bytes, (byte[]) right) : ((BigInteger) left).compareTo((BigInteger) right);
            Comparator<Object> turned = descending ? values.reversed() : values;
            Comparator<Object> ordered = nullsFirst ? Comparator.nullsFirst(turned) : Comparator.nullsLast(turned);
            return (left, right) -> ordered.compare(left.get(place), right.get(place));
        }

        // Both zeros are equal.
        private static double number(Object bits)
        {
            return Double.longBitsToDouble(((BigInteger) bits).longValueExact()) + 0.0;
        }
    }
}
