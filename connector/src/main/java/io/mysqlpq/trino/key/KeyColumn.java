package io.mysqlpq.trino.key;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Describes one column of an index's physical key.
 *
 * @param descending whether larger values come first in the index
 * @param charset character set of a text column's bytes
 * @param collation collation that orders a text column
 * @param prefixLength characters of a text column that the index holds, if not all
 */
public record KeyColumn(
        String name,
        KeyEncoding encoding,
        boolean nullable,
        boolean descending,
        Optional<String> charset,
        Optional<String> collation,
        OptionalInt prefixLength)
{
    // Both become part of SQL text, where MySQL takes no parameter.
    private static final Pattern IDENTIFIER = Pattern.compile("[a-z0-9_]{1,64}");

    public KeyColumn
    {
        requireNonNull(name, "name is null");
        requireNonNull(encoding, "encoding is null");
        requireNonNull(prefixLength, "prefixLength is null");
        checkArgument(!name.isEmpty(), "name is empty");
        checkArgument(charset.isPresent() == (encoding == KeyEncoding.TEXT), "charset of %s column %s: %s", encoding, name, charset);
        checkArgument(collation.isPresent() == charset.isPresent(), "collation of %s column %s: %s", encoding, name, collation);
        charset.ifPresent(value -> checkArgument(IDENTIFIER.matcher(value).matches(), "invalid charset: %s", value));
        collation.ifPresent(value -> checkArgument(IDENTIFIER.matcher(value).matches(), "invalid collation: %s", value));
        checkArgument(prefixLength.isEmpty() || prefixLength.getAsInt() > 0, "invalid prefix length: %s", prefixLength);
    }

    public static KeyColumn integer(String name)
    {
        return new KeyColumn(name, KeyEncoding.INTEGER, false, false, Optional.empty(), Optional.empty(), OptionalInt.empty());
    }

    public static KeyColumn text(String name, String charset, String collation)
    {
        return new KeyColumn(name, KeyEncoding.TEXT, false, false, Optional.of(charset), Optional.of(collation), OptionalInt.empty());
    }

    public KeyColumn withNullable()
    {
        return new KeyColumn(name, encoding, true, descending, charset, collation, prefixLength);
    }

    public KeyColumn withDescending()
    {
        return new KeyColumn(name, encoding, nullable, true, charset, collation, prefixLength);
    }

    public KeyColumn withPrefixLength(int characters)
    {
        return new KeyColumn(name, encoding, nullable, descending, charset, collation, OptionalInt.of(characters));
    }
}
