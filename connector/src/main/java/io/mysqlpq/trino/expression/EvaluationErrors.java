package io.mysqlpq.trino.expression;

import io.trino.spi.TrinoException;

import static io.trino.spi.StandardErrorCode.DIVISION_BY_ZERO;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;

/** Makes the errors that Trino's own operators raise. */
final class EvaluationErrors
{
    private EvaluationErrors()
    {}

    static TrinoException divisionByZero()
    {
        return new TrinoException(DIVISION_BY_ZERO, "Division by zero");
    }

    static TrinoException decimalOverflow()
    {
        return outOfRange("Decimal overflow");
    }

    static TrinoException outOfRange(String message)
    {
        return new TrinoException(NUMERIC_VALUE_OUT_OF_RANGE, message);
    }
}
