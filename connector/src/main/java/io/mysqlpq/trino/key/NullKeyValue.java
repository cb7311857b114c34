package io.mysqlpq.trino.key;

/** Stands for SQL NULL, which sorts before every value of an ascending column. */
public record NullKeyValue()
        implements KeyValue
{
    @Override
    public boolean fits(KeyColumn column)
    {
        return column.nullable();
    }
}
