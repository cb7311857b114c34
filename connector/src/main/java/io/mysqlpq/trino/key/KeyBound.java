package io.mysqlpq.trino.key;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;

/** Holds the values of an index's leading columns, at which one range ends and the next begins. */
public record KeyBound(List<KeyValue> values)
{
    public KeyBound
    {
        values = ImmutableList.copyOf(values);
        checkArgument(!values.isEmpty(), "values is empty");
    }

    public static KeyBound of(KeyValue... values)
    {
        return new KeyBound(List.of(values));
    }

    /** Whether the values are of these columns' types, in their order. */
    public boolean fits(List<KeyColumn> columns)
    {
        return values.size() <= columns.size()
                && IntStream.range(0, values.size()).allMatch(i -> values.get(i).fits(columns.get(i)));
    }
}
