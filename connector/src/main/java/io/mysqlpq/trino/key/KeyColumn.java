package io.mysqlpq.trino.key;

import java.math.BigDecimal;
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
 * @param prefixLength characters of a text column, or bytes of a binary one, that the index holds, if not all
 * @param listedUpTo the greatest number of an ENUM's or SET's values, of which MySQL reads no range by &lt; or &gt;
 */
public record KeyColumn(
        String name,
        KeyEncoding encoding,
        boolean nullable,
        boolean descending,
        Optional<String> charset,
        Optional<String> collation,
        OptionalInt prefixLength,
        Optional<IntegerKeyValue> listedUpTo)
{
    /** The most values of a column that a statement may list. */
    public static final int MOST_LISTED_VALUES = 1024;

    // Both become part of SQL text, where MySQL takes no parameter.
    private static final Pattern IDENTIFIER = Pattern.compile("[a-z0-9_]{1,64}");

    public KeyColumn
    {
        requireNonNull(name, "name is null");
        requireNonNull(encoding, "encoding is null");
        requireNonNull(prefixLength, "prefixLength is null");
        requireNonNull(listedUpTo, "listedUpTo is null");
        checkArgument(!name.isEmpty(), "name is empty");
        checkArgument(charset.isPresent() == (encoding == KeyEncoding.TEXT), "charset of %s column %s: %s", encoding, name, charset);
        checkArgument(collation.isPresent() == charset.isPresent(), "collation of %s column %s: %s", encoding, name, collation);
        charset.ifPresent(value -> checkArgument(IDENTIFIER.matcher(value).matches(), "invalid charset: %s", value));
        collation.ifPresent(value -> checkArgument(IDENTIFIER.matcher(value).matches(), "invalid collation: %s", value));
        checkArgument(listedUpTo.isEmpty() || encoding == KeyEncoding.INTEGER, "values listed of %s column %s", encoding, name);
        checkArgument(prefixLength.isEmpty() || prefixLength.getAsInt() > 0, "invalid prefix length: %s", prefixLength);
    }

    public static KeyColumn integer(String name)
    {
        return of(name, KeyEncoding.INTEGER);
    }

    /** A column of any encoding but TEXT. */
    public static KeyColumn of(String name, KeyEncoding encoding)
    {
        return new KeyColumn(name, encoding, false, false, Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty());
    }

    public static KeyColumn text(String name, String charset, String collation)
    {
        return new KeyColumn(name, KeyEncoding.TEXT, false, false, Optional.of(charset), Optional.of(collation), OptionalInt.empty(), Optional.empty());
    }

    /**
     * Whether MySQL reads a range of an index that begins with this column, and reads it right.
     *
     * <p>By an index on a prefix of a text column it loses rows where one character equals several, because it cuts
     * the bound to the prefix too. Bytes have no such equals.
     */
    public boolean readByRange()
    {
        return (encoding != KeyEncoding.TEXT || prefixLength.isEmpty())
                && listedUpTo.stream().allMatch(greatest -> greatest.number().compareTo(BigDecimal.valueOf(MOST_LISTED_VALUES)) < 0);
    }

    public KeyColumn withNullable()
    {
        return new KeyColumn(name, encoding, true, descending, charset, collation, prefixLength, listedUpTo);
    }

    public KeyColumn withDescending()
    {
        return new KeyColumn(name, encoding, nullable, true, charset, collation, prefixLength, listedUpTo);
    }

    public KeyColumn withListedUpTo(String greatest)
    {
        return new KeyColumn(name, encoding, nullable, descending, charset, collation, prefixLength, Optional.of(new IntegerKeyValue(greatest)));
    }

    public KeyColumn withPrefixLength(int characters)
    {
        return new KeyColumn(name, encoding, nullable, descending, charset, collation, OptionalInt.of(characters), listedUpTo);
    }
}
