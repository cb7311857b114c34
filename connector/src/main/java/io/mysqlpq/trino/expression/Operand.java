package io.mysqlpq.trino.expression;

import io.mysqlpq.trino.expression.Expression.IntegerConstant;
import io.mysqlpq.trino.expression.Expression.TextConstant;
import io.trino.spi.type.Type;

import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/** Is an argument of a function, as Trino has its type. */
record Operand(Type type, Expression expression)
{
    Operand
    {
        requireNonNull(type, "type is null");
        requireNonNull(expression, "expression is null");
    }

    boolean is(Type other)
    {
        return type.equals(other);
    }

    /** The text, if it is constant. */
    Optional<String> text()
    {
        return expression instanceof TextConstant constant ? Optional.of(constant.value()) : Optional.empty();
    }

    /** The integer, if it is constant and has 64 bits. */
    OptionalLong integer()
    {
        return expression instanceof IntegerConstant constant && constant.value().bitLength() < Long.SIZE ? OptionalLong.of(constant.value().longValue()) : OptionalLong.empty();
    }
}
