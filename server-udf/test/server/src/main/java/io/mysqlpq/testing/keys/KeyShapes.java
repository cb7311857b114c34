package io.mysqlpq.testing.keys;

import io.mysqlpq.testing.random.RandomText;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Lists keys and tables that are special by their shape: several parts, prefixes, generated keys, and rows that are
 * stored in another way.
 */
public final class KeyShapes
{
    /** MySQL reads no ranges of these, or none that are right. */
    public static final Set<String> WITHOUT_RANGES = Set.of("prefix of a text");

    private static final KeyCase PLAIN = primaryKey("a BIGINT NOT NULL", "a", "PRIMARY KEY (a, n), KEY by_n (n DESC)", random -> String.valueOf(random.nextLong()), "by_n");

    private KeyShapes()
    {}

    public static List<KeyCase> all()
    {
        return List.of(
                threeParts(),
                primaryKey("k VARCHAR(30) NOT NULL", "k", "PRIMARY KEY (k(3), n)", random -> text(random, 30)).withTitle("prefix of a text"),
                primaryKey("a INT, k VARCHAR(30)", "a, k", "PRIMARY KEY (a, k(3), n)", random -> random.nextInt(2_000) + ", " + text(random, 30))
                        .withTitle("number, then prefix of a text"),
                primaryKey("k VARBINARY(30) NOT NULL", "k", "PRIMARY KEY (k(2), n), KEY whole (k DESC)", random -> "x'%s'".formatted(KeyTypes.bytes(random, random.nextInt(6))), "whole")
                        .withTitle("prefix of bytes"),
                primaryKey("k BLOB NOT NULL", "k", "PRIMARY KEY (k(2) DESC, n)", random -> "x'%s'".formatted(KeyTypes.bytes(random, random.nextInt(6))))
                        .withTitle("prefix of a BLOB, descending"),
                primaryKey("a INT, k SET('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k')", "a, k", "PRIMARY KEY (a, k, n)", random -> random.nextInt(2_000) + ", " + random.nextInt(2_048))
                        .withTitle("number, then SET (11 members)"),
                primaryKey("v VARCHAR(30)", "v", "KEY by_v (v, n)", random -> text(random, 30), "by_v").withTitle("generated invisible primary key"),
                PLAIN.withOptions("ROW_FORMAT=COMPRESSED", "ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=4"),
                PLAIN.withOptions("encrypted tablespace", "ENCRYPTION='Y'"),
                PLAIN.withChanges(
                        "after instant ADD and DROP COLUMN",
                        "ALTER TABLE %s ADD COLUMN b INT DEFAULT 7 FIRST, ALGORITHM=INSTANT",
                        "UPDATE %s SET b = n WHERE n %% 3 = 0",
                        "ALTER TABLE %s DROP COLUMN filler, ALGORITHM=INSTANT"));
    }

    /** Tables of several trees, each of which is cut by itself. */
    public static List<KeyCase> partitioned()
    {
        return List.of(
                PLAIN.withOptions("7 partitions by HASH", "PARTITION BY HASH (n) PARTITIONS 7"),
                PLAIN.withOptions(
                        "subpartitions of unlike size",
                        """
                        PARTITION BY RANGE (n) SUBPARTITION BY HASH (n) SUBPARTITIONS 2 (
                        PARTITION small VALUES LESS THAN (100), PARTITION nothing VALUES LESS THAN (101), PARTITION rest VALUES LESS THAN MAXVALUE)"""),
                primaryKey("k VARCHAR(30), d DECIMAL(20,5)", "k, d", "PRIMARY KEY (k, d DESC, n)", random -> text(random, 30) + ", " + random.nextInt())
                        .withOptions("200 partitions by KEY of VARCHAR, DECIMAL(20,5) DESC", "PARTITION BY KEY (k) PARTITIONS 200"));
    }

    // A few tenants, so that rows share their leading parts.
    private static KeyCase threeParts()
    {
        return primaryKey(
                "a ENUM('x', 'y', 'z'), b DATETIME(3), c DECIMAL(20,5)",
                "a, b, c",
                "PRIMARY KEY (a, b DESC, c, n), KEY other (c DESC, a, b)",
                random -> "%s, '2026-%02d-01 %02d:00:00.%03d', %s".formatted(
                        1 + random.nextInt(3), 1 + random.nextInt(12), random.nextInt(24), random.nextInt(3), (random.nextInt(2_000) - 1_000) / 8.0),
                "other")
                .withTitle("ENUM, DATETIME(3) DESC, DECIMAL(20,5)");
    }

    private static KeyCase primaryKey(String columns, String names, String keys, Function<Random, String> row, String... otherIndexes)
    {
        List<String> indexes = Stream.concat(Stream.of("PRIMARY"), Stream.of(otherIndexes)).toList();
        return new KeyCase("", columns + ", " + keys, "", names, row, indexes, List.of());
    }

    private static String text(Random random, int length)
    {
        return RandomText.literal(RandomText.draw(random, length));
    }
}
