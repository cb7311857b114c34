package io.mysqlpq.trino.planning.sql;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ListMultimap;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.ceil;
import static java.lang.Math.clamp;

/** Cuts parts at keys that MySQL finds in them, and has MySQL estimate the rows of the pieces. */
final class PartCutter
{
    /** The statements of one cut. They ask where parts end, for keys in them, and how many rows lie between these. */
    static final int STATEMENTS_PER_CUT = 3;

    // One statement has at most this many probes, and so stays short.
    private static final int MOST_PROBES = 256;
    private static final int FEWEST_PIECES = 4;
    private static final int MOST_PIECES = 32;

    private final KeyStatements statements;
    private final PartProbes probes;
    private final RowEstimates estimates;

    PartCutter(KeyStatements statements, List<KeyColumn> columns, RowEstimates estimates)
    {
        this.statements = statements;
        this.probes = new PartProbes(columns);
        this.estimates = estimates;
    }

    /** Cuts the largest parts that have more than {@code mostRows} rows. Returns the same parts if there are none. */
    List<WeighedPart> cut(List<WeighedPart> parts, double mostRows)
            throws SQLException
    {
        Set<Integer> large = large(parts, mostRows);
        if (large.isEmpty()) {
            return parts;
        }
        List<Probe> ends = large.stream().flatMap(i -> probes.end(i, parts.get(i)).stream()).toList();
        ListMultimap<Integer, KeyBound> endKeys = keys(ends);
        ListMultimap<Integer, KeyBound> keys = keys(large.stream()
                .flatMap(i -> probes.inside(i, parts.get(i), endKeys, pieces(parts.get(i), mostRows)).stream())
                .toList());
        List<WeighedPart> cut = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            cut.addAll(large.contains(i) ? pieces(parts.get(i), keys.get(i)) : List.of(parts.get(i)));
        }
        return estimated(cut);
    }

    private ListMultimap<Integer, KeyBound> keys(List<Probe> wanted)
            throws SQLException
    {
        return wanted.isEmpty() ? ImmutableListMultimap.of() : statements.keys(wanted);
    }

    private static Set<Integer> large(List<WeighedPart> parts, double mostRows)
    {
        Set<Integer> large = new TreeSet<>();
        int probes = 0;
        for (int i : bySize(parts)) {
            WeighedPart part = parts.get(i);
            probes += pieces(part, mostRows);
            if (part.rows() > mostRows && !part.whole() && (large.isEmpty() || probes <= MOST_PROBES)) {
                large.add(i);
            }
        }
        return large;
    }

    private static List<Integer> bySize(List<WeighedPart> parts)
    {
        return IntStream.range(0, parts.size()).boxed()
                .sorted(Comparator.comparingDouble(i -> -parts.get(i).rows()))
                .collect(toImmutableList());
    }

    private static int pieces(WeighedPart part, double mostRows)
    {
        return (int) clamp(ceil(part.rows() / mostRows) + 1, FEWEST_PIECES, MOST_PIECES);
    }

    private static List<WeighedPart> pieces(WeighedPart part, List<KeyBound> keys)
    {
        List<KeyBound> inner = keys.stream()
                .filter(key -> !key.equals(part.first()) && PartProbes.haveLiterals(key.values()))
                .distinct()
                .toList();
        if (inner.isEmpty()) {
            return ImmutableList.of(part.asWhole());
        }
        ImmutableList.Builder<WeighedPart> pieces = ImmutableList.builder();
        Optional<KeyBound> lower = part.range().lower();
        KeyBound first = part.first();
        for (KeyBound key : inner) {
            pieces.add(unknown(new KeyRange(lower, Optional.of(key)), first, key));
            lower = Optional.of(key);
            first = key;
        }
        return pieces.add(unknown(new KeyRange(lower, part.range().upper()), first, part.end())).build();
    }

    private static WeighedPart unknown(KeyRange range, KeyBound first, KeyBound end)
    {
        return new WeighedPart(range, first, end, Double.NaN, false);
    }

    private List<WeighedPart> estimated(List<WeighedPart> parts)
            throws SQLException
    {
        List<KeyRange> unknown = parts.stream().filter(part -> Double.isNaN(part.rows())).map(WeighedPart::range).toList();
        long[] rows = unknown.isEmpty() ? new long[0] : statements.estimates(unknown);
        int next = 0;
        ImmutableList.Builder<WeighedPart> estimated = ImmutableList.builder();
        for (WeighedPart part : parts) {
            estimated.add(Double.isNaN(part.rows()) ? part.withRows(estimates.corrected(rows[next++])) : part);
        }
        return estimated.build();
    }
}
