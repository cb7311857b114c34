package io.mysqlpq.trino.expression;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

/**
 * Says what is computed of a table's rows as they are read.
 *
 * @param computed expressions, by the names of the columns as which Trino knows them
 * @param where what has to be true of a row. Each is evaluated for the rows that passed those before
 */
public record RowExpressions(Map<String, Expression> computed, List<Expression> where)
{
    public static final RowExpressions NONE = new RowExpressions(ImmutableMap.of(), ImmutableList.of());

    private static final int NODE_SIZE = 128;

    public RowExpressions
    {
        computed = ImmutableMap.copyOf(computed);
        where = ImmutableList.copyOf(where);
    }

    public boolean isEmpty()
    {
        return computed.isEmpty() && where.isEmpty();
    }

    /** Returns the names of the table's columns that they are computed from. */
    public Set<String> inputs()
    {
        return Stream.concat(computed.values().stream(), where.stream()).flatMap(expression -> expression.columns().stream()).collect(toImmutableSet());
    }

    public RowExpressions withComputed(Map<String, Expression> computed)
    {
        return new RowExpressions(computed, where);
    }

    public RowExpressions withWhere(List<Expression> more)
    {
        return new RowExpressions(computed, ImmutableList.<Expression>builder().addAll(where).addAll(more).build());
    }

    /** Returns an estimate of its bytes. */
    public long retainedBytes()
    {
        return NODE_SIZE * Stream.concat(computed.values().stream(), where.stream()).flatMap(Expression::nodes).count();
    }
}
