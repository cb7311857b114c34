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
 * Says where to look for keys at which a part can be cut: between its first key and its last, in the first column in
 * which these differ.
 */
final class PartProbes
{
    private final List<KeyColumn> columns;
    private final boolean oneDirection;

    PartProbes(List<KeyColumn> columns)
    {
        this.columns = ImmutableList.copyOf(columns);
        this.oneDirection = haveOneDirection(columns);
    }

    static boolean haveOneDirection(List<KeyColumn> columns)
    {
        return columns.stream().map(KeyColumn::descending).distinct().count() == 1;
    }

    /**
     * Asks for the key up to which to look: the last of the part.
     *
     * <p>MySQL cannot read a range backward whose columns have both directions. There the probe asks for the last key that
     * begins like the part's first key, up to the first column in which that differs from the part's end.
     */
    Optional<Probe> end(int number, WeighedPart part)
    {
        if (oneDirection) {
            return Optional.of(new Probe.Last(number, part.range()));
        }
        int different = different(part.first(), part.end());
        if (different + 1 >= columns.size()) {
            return Optional.empty();
        }
        List<KeyValue> values = part.first().values().subList(0, different + 1);
        return haveLiterals(values) ? Optional.of(new Probe.LastWith(number, new KeyBound(values))) : Optional.empty();
    }

    /** @param pieces into how many pieces to cut the part */
    List<Probe> inside(int number, WeighedPart part, ListMultimap<Integer, KeyBound> ends, int pieces)
    {
        Optional<KeyBound> end = ends.get(number).stream().findFirst();
        if (oneDirection) {
            return toward(number, part, end.orElse(part.end()), pieces).toList();
        }
        return Stream.concat(
                end.stream().flatMap(last -> toward(number, part, last, pieces)),
                toward(number, part, part.end(), pieces)).collect(toImmutableList());
    }

    private Stream<Probe> toward(int number, WeighedPart part, KeyBound end, int pieces)
    {
        int different = different(part.first(), end);
        if (different == columns.size() || !haveLiterals(part.first().values().subList(0, different))) {
            return Stream.empty();
        }
        KeyColumn column = columns.get(different);
        // A value that was made up may lie before the part, so each probe looks within the part only.
        return Interpolation.between(column, part.first().values().get(different), end.values().get(different), pieces).stream()
                .map(value -> ImmutableList.<KeyValue>builder().addAll(part.first().values().subList(0, different)).add(value).build())
                .map(values -> new Probe.From(number, part.range(), Optional.of(new KeyBound(values))));
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
