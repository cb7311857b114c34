package io.mysqlpq.trino.key;

import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.KeyEncoding.TEXT;

/** Holds a string's bytes in its column's character set, as lower-case hex. Only MySQL compares it. */
public record TextKeyValue(String hex)
        implements KeyValue
{
    // InnoDB's longest key part has 3,072 bytes.
    private static final Pattern HEX = Pattern.compile("([0-9a-f]{2}){0,3072}+");

    public TextKeyValue
    {
        checkArgument(HEX.matcher(hex).matches(), "not hex of a key part");
    }

    @Override
    public boolean fits(KeyColumn column)
    {
        return column.encoding() == TEXT;
    }

    @Override
    public Optional<String> toProtocol()
    {
        return Optional.of(hex);
    }
}
