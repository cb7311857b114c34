package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.protocol.ScanCondition;
import io.mysqlpq.trino.protocol.ScanCondition.Choice;
import io.mysqlpq.trino.protocol.ScanCondition.Comparison;
import io.mysqlpq.trino.protocol.ScanCondition.Filter;
import io.mysqlpq.trino.protocol.ScanCondition.Interval;
import io.mysqlpq.trino.protocol.ScannedRows;

import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;

/**
 * Keeps the rows of a native scan that pass some expressions.
 *
 * @param types the types that the conditions rely on, by the names of the columns, as the protocol writes them
 * @param conditions all of which a row passes
 */
public record NativeFilter(Map<String, String> types, List<ScanCondition> conditions)
{
    private static final int TYPE_SIZE = 256;
    private static final int CONDITION_SIZE = 256;
    private static final int INTERVAL_SIZE = 128;

    public NativeFilter
    {
        types = ImmutableMap.copyOf(types);
        conditions = ImmutableList.copyOf(conditions);
    }

    /** Keeps the rows that pass all of these. */
    static NativeFilter all(List<NativeFilter> filters)
    {
        return new NativeFilter(
                filters.stream().flatMap(filter -> filter.types.entrySet().stream()).collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue, (first, _) -> first)),
                filters.stream().flatMap(filter -> filter.conditions.stream()).collect(toImmutableList()));
    }

    /** Whether the extension takes as much as this. */
    boolean isWithinLimits()
    {
        return new ScannedRows(ImmutableList.of(), types, conditions).isWithinLimits();
    }

    /** Returns an estimate of its bytes. */
    public long retainedBytes()
    {
        return (long) types.size() * TYPE_SIZE + bytes(conditions);
    }

    private static long bytes(List<ScanCondition> conditions)
    {
        return conditions.stream()
                .mapToLong(condition -> CONDITION_SIZE + switch (condition) {
                    case Filter filter -> filter.intervals().stream().mapToLong(NativeFilter::bytes).sum();
                    case Comparison _ -> 0;
                    case Choice choice -> choice.alternatives().stream().mapToLong(NativeFilter::bytes).sum();
                })
                .sum();
    }

    private static long bytes(Interval interval)
    {
        return (long) INTERVAL_SIZE + interval.low().map(String::length).orElse(0) + interval.high().map(String::length).orElse(0);
    }
}
