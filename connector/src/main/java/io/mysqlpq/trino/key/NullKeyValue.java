package io.mysqlpq.trino.key;

import java.util.Optional;

/** Stands for SQL NULL, which sorts before every value of an ascending column. */
public record NullKeyValue()
        implements KeyValue
{
    @Override
    public boolean fits(KeyColumn column)
    {
        return column.nullable();
    }

    @Override
    public Optional<String> toProtocol()
    {
        return Optional.empty();
    }
}
