package io.mysqlpq.trino.key;

import java.util.List;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Asks for MySQL's hypergraph optimizer in a statement that reads a range. That optimizer knows that a range of an index stands for its
 * condition. The older optimizer has MySQL evaluate the condition again for each row.
 *
 * <p>It is only for keys of integers, which MySQL stores as it compares them. The columns of the primary key behind a secondary index count
 * too. The bounds of a secondary index must hold only its leading column: with more, that optimizer may read the whole index. A server that
 * was built without the optimizer ignores the hint, with a warning.
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
