package io.mysqlpq.trino.key;

/** Writes a key value as the SQL literal that MySQL compares a column with. */
public final class KeyLiteral
{
    private KeyLiteral()
    {}

    // The key types admit nothing but digits, their separators, hex and plain identifiers, so a literal cannot become other SQL.
    // Not _utf8mb4 X'..': MySQL 9.7 takes two such literals that differ in case only for one, whatever their collation.
    public static String of(KeyColumn column, KeyValue value)
    {
        return switch (value) {
            case NullKeyValue _ -> throw new IllegalStateException("NULL has no literal here");
            case NumericKeyValue number -> number.digits();
            case DateKeyValue date -> date.literal().orElseThrow();
            case DatetimeKeyValue dateTime -> dateTime.literal().orElseThrow();
            case TimeKeyValue time -> "TIME'%s'".formatted(time.time());
            case BinaryKeyValue binary -> "X'%s'".formatted(binary.hex());
            case TextKeyValue text -> "CONVERT(X'%s' USING %s) COLLATE %s".formatted(text.hex(), column.charset().orElseThrow(), column.collation().orElseThrow());
        };
    }
}
