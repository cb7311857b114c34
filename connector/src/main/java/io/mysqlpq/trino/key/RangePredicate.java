package io.mysqlpq.trino.key;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;

/**
 * Writes a key range as SQL that MySQL runs as a range scan.
 *
 * <p>The shape is {@code a > x OR (a = x AND b >= y)}: MySQL reads {@code (a, b) >= (x, y)} as a filter over the whole table. "At or after"
 * and "before" a bound are exact opposites in SQL's three-valued logic too. Each row, NULLs included, therefore satisfies exactly one range
 * of a plan. Between two integers fewer comparisons say the same.
 */
public final class RangePredicate
{
    private final IndexKey key;
    private final Function<String, String> quoted;

    public RangePredicate(IndexKey key, Function<String, String> quoted)
    {
        this.key = key;
        this.quoted = quoted;
    }

    /** Returns the condition. Empty for a range that is open on both sides. */
    public Optional<String> toSql(KeyRange range)
    {
        return fewestComparisons(range).or(() -> byBounds(range));
    }

    /** Returns the condition of the range's part behind a key of all columns. */
    public String after(KeyBound last, KeyRange range)
    {
        String after = "(" + after(last, 0) + ")";
        return range.upper().map(upper -> after + " AND (" + before(upper, 0) + ")").orElse(after);
    }

    // MySQL evaluates the condition for each row of the range, unless its hypergraph optimizer reads it. One BETWEEN, which is true of nearly all rows, costs the least.
    private Optional<String> fewestComparisons(KeyRange range)
    {
        if (range.lower().isEmpty() || range.upper().isEmpty()) {
            return Optional.empty();
        }
        KeyBound lower = range.lower().get();
        KeyBound upper = range.upper().get();
        KeyColumn column = key.columns().getFirst();
        // NULL is before the lower bound.
        if (column.descending() || column.listedUpTo().isPresent()
                || !(lower.values().getFirst() instanceof IntegerKeyValue least && upper.values().getFirst() instanceof IntegerKeyValue greatest)
                || (least.mayBeYear() && greatest.mayBeYear())) {
            return Optional.empty();
        }
        BigInteger first = least.number().toBigIntegerExact().add(lower.values().size() > 1 ? BigInteger.ONE : BigInteger.ZERO);
        BigInteger last = greatest.number().toBigIntegerExact().subtract(BigInteger.ONE);
        if (first.compareTo(last) > 0) {
            return Optional.empty();
        }
        return Optional.of(Stream.of(
                Stream.of("%s BETWEEN %s AND %s".formatted(quoted.apply(column.name()), first, last)),
                Stream.of(lower).filter(RangePredicate::isComposite).map(bound -> and(comparison(bound, 0).equal(), atOrAfter(bound, 1))),
                Stream.of(upper).filter(RangePredicate::isComposite).map(bound -> and(comparison(bound, 0).equal(), before(bound, 1))))
                .flatMap(conditions -> conditions)
                .collect(joining(" OR ", "(", ")")));
    }

    private static boolean isComposite(KeyBound bound)
    {
        return bound.values().size() > 1;
    }

    private Optional<String> byBounds(KeyRange range)
    {
        return Stream.concat(
                range.lower().map(bound -> atOrAfter(bound, 0)).stream(),
                range.upper().map(bound -> before(bound, 0)).stream())
                .map(condition -> "(" + condition + ")")
                .reduce((lower, upper) -> lower + " AND " + upper);
    }

    private String atOrAfter(KeyBound bound, int position)
    {
        ColumnComparison comparison = comparison(bound, position);
        if (position == bound.values().size() - 1) {
            return or(comparison.atOrAfter(), Optional.empty());
        }
        return or(comparison.after(), Optional.of(and(comparison.equal(), atOrAfter(bound, position + 1))));
    }

    private String after(KeyBound bound, int position)
    {
        ColumnComparison comparison = comparison(bound, position);
        if (position == bound.values().size() - 1) {
            return or(comparison.after(), Optional.empty());
        }
        return or(comparison.after(), Optional.of(and(comparison.equal(), after(bound, position + 1))));
    }

    private String before(KeyBound bound, int position)
    {
        ColumnComparison comparison = comparison(bound, position);
        if (position == bound.values().size() - 1) {
            return or(comparison.before(), Optional.empty());
        }
        return or(comparison.before(), Optional.of(and(comparison.equal(), before(bound, position + 1))));
    }

    private ColumnComparison comparison(KeyBound bound, int position)
    {
        KeyColumn column = key.columns().get(position);
        return new ColumnComparison(column, quoted.apply(column.name()), bound.values().get(position));
    }

    private static String and(String equal, String rest)
    {
        return "(%s AND (%s))".formatted(equal, rest);
    }

    private static String or(List<String> conditions, Optional<String> last)
    {
        String sql = Stream.concat(conditions.stream(), last.stream()).collect(joining(" OR "));
        return sql.isEmpty() ? "FALSE" : sql;
    }
}
