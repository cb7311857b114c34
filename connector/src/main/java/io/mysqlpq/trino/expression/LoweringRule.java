package io.mysqlpq.trino.expression;

import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

/** Writes a function of Trino in the language of expressions. */
interface LoweringRule
{
    /** Returns an expression with the results and errors of Trino's function. Empty if there is none, or if these types are not known here. */
    Optional<Expression> lower(Type result, List<Operand> operands);
}
