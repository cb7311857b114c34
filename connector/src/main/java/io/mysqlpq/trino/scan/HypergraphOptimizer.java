package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyEncoding;
import io.trino.spi.connector.ConnectorSession;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Has ranges read by MySQL's hypergraph optimizer. It knows that a range of an index stands for the condition that it came from; the
 * older one lets MySQL evaluate that condition for each row again.
 *
 * <p>Of primary keys of integers only: MySQL stores them as they are compared, and of a secondary index that ends with the primary key that
 * optimizer may read all. A server that has it not ignores the hint.
 */
public final class HypergraphOptimizer
{
    public static final String HYPERGRAPH_OPTIMIZER_ENABLED = "hypergraph_optimizer_enabled";

    private static final String SELECT = "SELECT ";
    private static final String HINT = "/*+ SET_VAR(optimizer_switch = 'hypergraph_optimizer=on') */ ";

    private HypergraphOptimizer()
    {}

    static boolean isHypergraphOptimizerEnabled(ConnectorSession session)
    {
        return session.getProperty(HYPERGRAPH_OPTIMIZER_ENABLED, Boolean.class);
    }

    static boolean helps(IndexKey key)
    {
        return key.clustered() && key.columns().stream().allMatch(column -> column.encoding() == KeyEncoding.INTEGER && column.listedUpTo().isEmpty());
    }

    static String hinted(String sql)
    {
        checkArgument(sql.startsWith(SELECT), "not a SELECT: %s", sql);
        return SELECT + HINT + sql.substring(SELECT.length());
    }
}
