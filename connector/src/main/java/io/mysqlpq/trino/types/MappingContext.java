package io.mysqlpq.trino.types;

import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.Type;

import static java.util.Objects.requireNonNull;

/** Holds what a column mapping may depend on beside the column. */
record MappingContext(ConnectorSession session, InvalidDateHandling invalidDates, Type jsonType)
{
    MappingContext
    {
        requireNonNull(session, "session is null");
        requireNonNull(invalidDates, "invalidDates is null");
        requireNonNull(jsonType, "jsonType is null");
    }
}
