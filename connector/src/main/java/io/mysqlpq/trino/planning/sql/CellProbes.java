package io.mysqlpq.trino.planning.sql;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyValue;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Says where to look for keys that divide a cell: between its first key and its last, in the first column in which
 * these differ.
 */
final class CellProbes
{
    private final List<KeyColumn> columns;
    private final boolean oneDirection;

    CellProbes(List<KeyColumn> columns)
    {
        this.columns = ImmutableList.copyOf(columns);
        this.oneDirection = haveOneDirection(columns);
    }

    static boolean haveOneDirection(List<KeyColumn> columns)
    {
        return columns.stream().map(KeyColumn::descending).distinct().count() == 1;
    }

    /**
     * Asks for the key up to which to look: the last of the cell. MySQL reads no range backward that has parts in both
     * directions; there it is the last with the values in which the cell's first key and its end are the same, and
     * the first key's next value.
     */
    Optional<Probe> end(int number, Cell cell)
    {
        if (oneDirection) {
            return Optional.of(new Probe.Last(number, cell.range()));
        }
        int different = different(cell.first(), cell.end());
        if (different + 1 >= columns.size()) {
            return Optional.empty();
        }
        List<KeyValue> values = cell.first().values().subList(0, different + 1);
        return haveLiterals(values) ? Optional.of(new Probe.LastWith(number, new KeyBound(values))) : Optional.empty();
    }

    /** @param parts into how many parts to divide the cell */
    List<Probe> inside(int number, Cell cell, ListMultimap<Integer, KeyBound> ends, int parts)
    {
        Optional<KeyBound> end = ends.get(number).stream().findFirst();
        if (oneDirection) {
            return toward(number, cell, end.orElse(cell.end()), parts).toList();
        }
        return Stream.concat(
                end.stream().flatMap(last -> toward(number, cell, last, parts)),
                toward(number, cell, cell.end(), parts)).collect(toImmutableList());
    }

    private Stream<Probe> toward(int number, Cell cell, KeyBound end, int parts)
    {
        int different = different(cell.first(), end);
        if (different == columns.size() || !haveLiterals(cell.first().values().subList(0, different))) {
            return Stream.empty();
        }
        KeyColumn column = columns.get(different);
        // Within the cell, before which a value that was made up may lie.
        return Interpolation.between(column, cell.first().values().get(different), end.values().get(different), parts).stream()
                .map(value -> ImmutableList.<KeyValue>builder().addAll(cell.first().values().subList(0, different)).add(value).build())
                .map(values -> new Probe.From(number, cell.range(), Optional.of(new KeyBound(values))));
    }

    private int different(KeyBound left, KeyBound right)
    {
        return IntStream.range(0, columns.size())
                .filter(i -> !left.values().get(i).equals(right.values().get(i)))
                .findFirst()
                .orElse(columns.size());
    }

    static boolean haveLiterals(List<KeyValue> values)
    {
        return values.stream().allMatch(KeyValue::hasLiteral);
    }
}
