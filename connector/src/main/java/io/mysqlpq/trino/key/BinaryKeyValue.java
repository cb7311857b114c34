package io.mysqlpq.trino.key;

import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.KeyEncoding.BINARY;

/** Holds bytes as lower-case hex; of BINARY all of them, since MySQL compares the zeros at the end too. */
public record BinaryKeyValue(String hex)
        implements KeyValue
{
    // InnoDB's longest key part has 3,072 bytes.
    private static final Pattern HEX = Pattern.compile("([0-9a-f]{2}){0,3072}+");

    public BinaryKeyValue
    {
        checkArgument(HEX.matcher(hex).matches(), "not hex of a key part");
    }

    @Override
    public boolean fits(KeyColumn column)
    {
        return column.encoding() == BINARY;
    }

    @Override
    public Optional<String> toProtocol()
    {
        return Optional.of(hex);
    }
}
