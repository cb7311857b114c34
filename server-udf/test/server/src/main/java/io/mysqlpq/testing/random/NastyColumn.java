package io.mysqlpq.testing.random;

import java.util.List;
import java.util.Random;

/**
 * Draws values of one column, and literals that Trino compares with it.
 *
 * @param literals Trino's, of values that it may hold and of some that it may not
 * @param values MySQL's
 * @param like whether Trino's LIKE takes it
 */
public record NastyColumn(String name, String definition, NastyKind kind, List<String> literals, List<String> values, boolean like)
{
    public NastyColumn
    {
        literals = List.copyOf(literals);
        values = List.copyOf(values);
    }

    public String value(Random random)
    {
        return random.nextInt(9) == 0 ? "NULL" : presentValue(random);
    }

    public String presentValue(Random random)
    {
        return values.get(random.nextInt(values.size()));
    }

    public String literal(Random random)
    {
        return literals.get(random.nextInt(literals.size()));
    }

    /** Columns with which Trino compares this one. */
    public boolean isLike(NastyColumn other)
    {
        // Trino has no type that holds the values of two such decimals.
        boolean isTooWide = kind == NastyKind.EXTREME && other.kind == NastyKind.EXTREME && typeName().equals("DECIMAL") && !definition.equals(other.definition);
        return typeName().equals(other.typeName()) && !isTooWide;
    }

    /** MySQL's, without length and attributes. */
    public String typeName()
    {
        return definition.replaceFirst("[ (].*", "");
    }
}
