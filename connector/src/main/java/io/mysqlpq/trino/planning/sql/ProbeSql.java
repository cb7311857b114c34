package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyEncoding;
import io.mysqlpq.trino.key.KeyLiteral;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.RangePredicate;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;

/** Writes questions about one index. Each is answered by descents of it, and so costs the same in any table. */
record ProbeSql(String quotedTable, IndexKey key, Function<String, String> quoted, RangePredicate predicate)
{
    /** Parameters: schema, table. There is no average if the table has no statistics. */
    static final String ROWS_PER_PAGE = """
            SELECT table_rows / NULLIF(data_length, 0) * @@innodb_page_size
            FROM information_schema.tables
            WHERE table_schema = ? AND table_name = ?""";

    /** Selects a row with the number of the probe's part, the key's values as text, and what they are sorted by. */
    String key(Probe probe)
    {
        return "(SELECT %s AS c, %s, %s FROM %s WHERE %s ORDER BY %s LIMIT 1)".formatted(
                probe.part(),
                columns(i -> "%s AS v%s".formatted(KeyText.select(column(i), name(i)), i)),
                columns(i -> "%s AS s%s".formatted(KeyText.sort(column(i), name(i)), i)),
                forcedTable(),
                condition(probe),
                order(!(probe instanceof Probe.From)));
    }

    String keyNames()
    {
        return "c, " + columns(i -> "v" + i);
    }

    String keyOrder()
    {
        return "c, " + columns(i -> "s%s%s".formatted(i, column(i).descending() ? " DESC" : ""));
    }

    /** A statement of which EXPLAIN estimates the rows of a range. */
    String estimate(KeyRange range)
    {
        return "SELECT 1 FROM %s WHERE %s".formatted(forcedTable(), within(range));
    }

    // Compares the columns whose order only MySQL knows.
    List<String> comparisons(KeyBound left, KeyBound right)
    {
        return IntStream.range(0, key.columns().size())
                .filter(i -> isComparedByMysql(column(i)))
                .mapToObj(i -> comparison(column(i), left.values().get(i), right.values().get(i)))
                .toList();
    }

    static boolean isComparedByMysql(KeyColumn column)
    {
        return column.encoding() == KeyEncoding.TEXT || column.encoding() == KeyEncoding.TIME;
    }

    private static String comparison(KeyColumn column, KeyValue left, KeyValue right)
    {
        return "(%1$s > %2$s) - (%1$s < %2$s)".formatted(KeyLiteral.of(column, left), KeyLiteral.of(column, right));
    }

    private String condition(Probe probe)
    {
        return switch (probe) {
            case Probe.From(_, KeyRange range, Optional<KeyBound> value) -> within(range, new KeyRange(value, Optional.empty()));
            case Probe.Last(_, KeyRange range) -> within(range);
            case Probe.LastWith(_, KeyBound values) -> IntStream.range(0, values.values().size())
                    .mapToObj(i -> "%s = %s".formatted(name(i), KeyLiteral.of(column(i), values.values().get(i))))
                    .collect(joining(" AND "));
        };
    }

    private String within(KeyRange... ranges)
    {
        return Stream.of(ranges).flatMap(range -> predicate.toSql(range).stream()).reduce("%s AND %s"::formatted).orElse("TRUE");
    }

    private String forcedTable()
    {
        return "%s AS r FORCE INDEX (%s)".formatted(quotedTable, quoted.apply(key.index()));
    }

    private String order(boolean backward)
    {
        return columns(i -> name(i) + (column(i).descending() == backward ? "" : " DESC"));
    }

    private String columns(IntFunction<String> text)
    {
        return IntStream.range(0, key.columns().size()).mapToObj(text).collect(joining(", "));
    }

    private KeyColumn column(int position)
    {
        return key.columns().get(position);
    }

    // ORDER BY would take a bare name for a result's, if it has the same.
    private String name(int position)
    {
        return "r." + quoted.apply(column(position).name());
    }
}
