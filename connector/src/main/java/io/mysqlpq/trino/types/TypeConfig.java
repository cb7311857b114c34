package io.mysqlpq.trino.types;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.NotNull;

/** Says how MySQL types are mapped. */
public class TypeConfig
{
    private boolean extendedTypes;
    private InvalidDateHandling invalidDateHandling = InvalidDateHandling.ERROR;

    public boolean isExtendedTypes()
    {
        return extendedTypes;
    }

    @Config("extended-types")
    @ConfigDescription("Map SET, YEAR, BIT(n), GEOMETRY and VECTOR to Trino types that fit them; Trino's MySQL connector maps them differently")
    public TypeConfig setExtendedTypes(boolean extendedTypes)
    {
        this.extendedTypes = extendedTypes;
        return this;
    }

    @NotNull
    public InvalidDateHandling getInvalidDateHandling()
    {
        return invalidDateHandling;
    }

    @Config("invalid-date-handling")
    @ConfigDescription("How to read invalid dates such as 0000-00-00: ERROR fails the query, NULL reads NULL")
    public TypeConfig setInvalidDateHandling(InvalidDateHandling invalidDateHandling)
    {
        this.invalidDateHandling = invalidDateHandling;
        return this;
    }
}
