package io.mysqlpq.trino.aggregation;

import io.trino.spi.type.DecimalType;

import static io.trino.spi.type.DecimalType.createDecimalType;

/** Names the type of sums that ranges give: an integer of 128 bits, which may have more digits than a decimal. */
public final class PartialSums
{
    public static final DecimalType TYPE = createDecimalType(38, 0);

    private PartialSums()
    {}
}
