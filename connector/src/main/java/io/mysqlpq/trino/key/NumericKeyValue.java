package io.mysqlpq.trino.key;

import java.math.BigDecimal;

/** Holds a number, whose digits are its literal in SQL too. */
public sealed interface NumericKeyValue
        extends KeyValue
        permits DecimalKeyValue, DoubleKeyValue, IntegerKeyValue
{
    String digits();

    default BigDecimal number()
    {
        return new BigDecimal(digits());
    }
}
