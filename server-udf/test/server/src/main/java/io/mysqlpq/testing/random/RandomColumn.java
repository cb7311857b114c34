package io.mysqlpq.testing.random;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Draws the definition and the values of one column of a random table.
 */
public record RandomColumn(String name, String definition, boolean text, Supplier<String> literals)
{
    private static final List<IntegerType> INTEGERS = List.of(
            new IntegerType("TINYINT", 8, false), new IntegerType("TINYINT", 8, true),
            new IntegerType("SMALLINT", 16, false), new IntegerType("SMALLINT", 16, true),
            new IntegerType("MEDIUMINT", 24, false), new IntegerType("MEDIUMINT", 24, true),
            new IntegerType("INT", 32, false), new IntegerType("INT", 32, true),
            new IntegerType("BIGINT", 64, false), new IntegerType("BIGINT", 64, true));

    public static RandomColumn draw(String name, boolean nullable, Random random)
    {
        RandomColumn column = random.nextBoolean() ? integer(name, random) : text(name, random);
        if (!nullable) {
            return column;
        }
        int nullsPerMille = List.of(0, 10, 500, 990).get(random.nextInt(4));
        return new RandomColumn(name, column.definition, column.text,
                () -> random.nextInt(1_000) < nullsPerMille ? "NULL" : column.literals.get());
    }

    public String ddl()
    {
        return "`%s` %s".formatted(name.replace("`", "``"), definition);
    }

    // As a key part, in a random direction; a prefix only where the caller allows it.
    public String keyPart(Random random, boolean prefixAllowed)
    {
        String prefix = text && prefixAllowed && random.nextInt(3) == 0 ? "(" + (1 + random.nextInt(4)) + ")" : "";
        return "`%s`%s %s".formatted(name.replace("`", "``"), prefix, random.nextBoolean() ? "ASC" : "DESC");
    }

    private static RandomColumn integer(String name, Random random)
    {
        IntegerType type = INTEGERS.get(random.nextInt(INTEGERS.size()));
        return new RandomColumn(name, type.definition(), false, () -> type.random(random).toString());
    }

    private static RandomColumn text(String name, Random random)
    {
        // Four parts of 150 characters of 4 bytes stay below InnoDB's limit of 3072 bytes a key.
        int length = 5 + random.nextInt(146);
        String collation = random.nextBoolean() ? "utf8mb4_0900_ai_ci" : "utf8mb4_bin";
        return new RandomColumn(name, "VARCHAR(%s) COLLATE %s".formatted(length, collation), true,
                () -> RandomText.literal(RandomText.draw(random, length)));
    }
}
