package io.mysqlpq.trino.key;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Asks for MySQL's hypergraph optimizer in a statement that reads a range. That optimizer knows that a range of an index stands for the
 * condition that it came from; the older one lets MySQL evaluate that condition for each row again.
 *
 * <p>Of primary keys of integers only: MySQL stores them as they are compared, and of a secondary index that ends with the primary key that
 * optimizer may read all. A server that was built without it ignores the hint, with a warning.
 */
public final class RangeHint
{
    private static final String SELECT = "SELECT ";
    private static final String HINT = "/*+ SET_VAR(optimizer_switch = 'hypergraph_optimizer=on') */ ";

    private RangeHint()
    {}

    public static boolean helps(IndexKey key)
    {
        return key.clustered() && key.columns().stream().allMatch(column -> column.encoding() == KeyEncoding.INTEGER && column.listedUpTo().isEmpty());
    }

    /** @param sql a SELECT without other hints */
    public static String hinted(String sql)
    {
        checkArgument(sql.startsWith(SELECT), "not a SELECT: %s", sql);
        return SELECT + HINT + sql.substring(SELECT.length());
    }
}
