package io.mysqlpq.extension;

import io.mysqlpq.extension.AggregateFunction.Total;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Groups rows, and puts the groups of ranges together. Groups are values of functions by the values of the key.
 *
 * @param key places of columns, and of expressions behind them
 */
record Aggregation(List<Integer> key, List<AggregateFunction> functions)
{
    String option()
    {
        return "\"aggregate\": {\"groups\": %s, \"functions\": [%s]}, ".formatted(key, functions.stream().map(AggregateFunction::option).collect(joining(", ")));
    }

    Map<List<Object>, List<Object>> ofRows(List<List<Object>> rows)
    {
        Map<List<Object>, List<Object>> groups = new HashMap<>();
        rows.forEach(row -> merge(groups, TablePart.comparable(at(row, key)), functions.stream().map(function -> function.ofRow(row)).toList()));
        if (key.isEmpty()) {
            // Without rows there is a group all the same.
            groups.computeIfAbsent(List.of(), _ -> functions.stream().map(AggregateFunction::ofNothing).toList());
        }
        return groups;
    }

    Map<List<Object>, List<Object>> ofBatches(List<ScanBatch> batches)
    {
        Map<List<Object>, List<Object>> groups = new HashMap<>();
        batches.stream().flatMap(batch -> batch.cellsOfRows().stream()).forEach(row -> merge(groups, TablePart.comparable(row.subList(0, key.size())), values(row)));
        return groups;
    }

    /** Takes sums of doubles for the expected ones if they are close to them. */
    static Map<List<Object>, List<Object>> withCloseSums(Map<List<Object>, List<Object>> read, Map<List<Object>, List<Object>> expected)
    {
        Map<List<Object>, List<Object>> all = new HashMap<>();
        read.forEach((key, values) -> {
            List<Object> others = expected.get(key);
            all.put(key, others == null ? values : IntStream.range(0, values.size()).mapToObj(i -> others.get(i) instanceof Total total && total.isClose(values.get(i)) ? total : values.get(i)).toList());
        });
        return all;
    }

    private List<Object> values(List<Object> row)
    {
        List<Object> values = new ArrayList<>();
        int column = key.size();
        for (AggregateFunction function : functions) {
            Object cell = row.get(column++);
            Object value = function.beside().isPresent() ? function.ofCells(cell, row.get(column++)) : function.ofCell(cell);
            if (function.isWideSum()) {
                BigInteger lower = (BigInteger) row.get(column++);
                value = value == null ? null : ((BigInteger) value).shiftLeft(64).add(lower);
            }
            values.add(value);
        }
        assertThat(column).isEqualTo(row.size());
        return values;
    }

    private static List<Object> at(List<Object> row, List<Integer> places)
    {
        return places.stream().map(row::get).toList();
    }

    private void merge(Map<List<Object>, List<Object>> groups, List<Object> key, List<Object> values)
    {
        groups.merge(key, values, (left, right) -> IntStream.range(0, functions.size()).mapToObj(i -> functions.get(i).merged(left.get(i), right.get(i))).toList());
    }
}
