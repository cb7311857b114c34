package io.mysqlpq.trino.key;

import java.util.List;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Asks for MySQL's hypergraph optimizer in a statement that reads a range. That optimizer knows that a range of an index stands for the
 * condition that it came from; the older one lets MySQL evaluate that condition for each row again.
 *
 * <p>It is only for keys of integers, which MySQL stores as they are compared. The columns of the primary key behind a secondary index count too. Bounds of a
 * secondary index must hold its leading column alone: with more, that optimizer may read all. A server that was built without it ignores the
 * hint, with a warning.
 */
public final class RangeHint
{
    private static final String SELECT = "SELECT ";
    private static final String HINT = "/*+ SET_VAR(optimizer_switch = 'hypergraph_optimizer=on') */ ";

    private RangeHint()
    {}

    /** @param ranges those of the index that will be read */
    public static boolean helps(IndexKey key, List<KeyRange> ranges)
    {
        return key.columns().stream().allMatch(column -> column.encoding() == KeyEncoding.INTEGER && column.listedUpTo().isEmpty())
                && (key.clustered() || ranges.stream().flatMap(range -> Stream.concat(range.lower().stream(), range.upper().stream())).allMatch(bound -> bound.values().size() == 1));
    }

    /** @param sql a SELECT without other hints */
    public static String hinted(String sql)
    {
        checkArgument(sql.startsWith(SELECT), "not a SELECT: %s", sql);
        return SELECT + HINT + sql.substring(SELECT.length());
    }
}
