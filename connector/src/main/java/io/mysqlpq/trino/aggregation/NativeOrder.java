package io.mysqlpq.trino.aggregation;

import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;

import java.lang.invoke.MethodHandle;
import java.util.Comparator;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.NEVER_NULL;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.simpleConvention;
import static java.lang.Math.toIntExact;
import static java.lang.invoke.MethodType.methodType;

/** Orders values of one type, as blocks hold them, by Trino's own order of the type. */
final class NativeOrder
        implements Comparator<Object>
{
    private static final TypeOperators OPERATORS = new TypeOperators();

    private final MethodHandle comparison;

    private NativeOrder(MethodHandle comparison)
    {
        this.comparison = comparison;
    }

    static NativeOrder of(Type type)
    {
        return new NativeOrder(OPERATORS.getComparisonUnorderedLastOperator(type, simpleConvention(FAIL_ON_NULL, NEVER_NULL, NEVER_NULL))
                .asType(methodType(long.class, Object.class, Object.class)));
    }

    @Override
    public int compare(Object left, Object right)
    {
        try {
            return toIntExact((long) comparison.invokeExact(left, right));
        }
        catch (Throwable e) {
            throwIfUnchecked(e);
            throw new IllegalStateException("Failed to compare", e);
        }
    }
}
