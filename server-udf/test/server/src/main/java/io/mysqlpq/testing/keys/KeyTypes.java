package io.mysqlpq.testing.keys;

import io.mysqlpq.testing.random.RandomText;

import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;

/**
 * Lists all types that a key column can have, with values where they go wrong: at both ends, around zero, and close
 * together.
 */
public final class KeyTypes
{
    /** MySQL reads no ranges of these: there are too many values to list. */
    public static final Set<String> WITHOUT_RANGES = Set.of("ENUM (2,000 members)", "SET (64 members)");

    private KeyTypes()
    {}

    public static List<KeyCase> all()
    {
        return Stream.of(integers(), numbers(), temporals(), texts(), binaries(), members()).flatMap(List::stream).toList();
    }

    static List<KeyCase> integers()
    {
        return List.of(
                KeyCase.ofType("TINYINT", random -> String.valueOf(random.nextInt(256) - 128)),
                KeyCase.ofType("SMALLINT UNSIGNED", random -> String.valueOf(random.nextInt(1 << 16))),
                KeyCase.ofType("MEDIUMINT", random -> String.valueOf(random.nextInt(1 << 24) - (1 << 23))),
                KeyCase.ofType("INT UNSIGNED", random -> Long.toString(random.nextLong() >>> 32)),
                KeyCase.ofType("BIGINT", edged(random -> Long.toString(random.nextLong()), "-9223372036854775808", "9223372036854775807", "0", "-1")),
                KeyCase.ofType("BIGINT UNSIGNED", edged(random -> Long.toUnsignedString(random.nextLong()), "0", "18446744073709551615")),
                KeyCase.ofType("BIT(1)", random -> String.valueOf(random.nextInt(2))),
                KeyCase.ofType("BIT(21)", random -> String.valueOf(random.nextInt(1 << 21))),
                KeyCase.ofType("BIT(64)", edged(random -> Long.toUnsignedString(random.nextLong()), "0", "18446744073709551615")),
                KeyCase.ofType("YEAR", edged(random -> String.valueOf(1901 + random.nextInt(255)), "0", "'0000'", "1901", "2155")));
    }

    static List<KeyCase> numbers()
    {
        return List.of(
                KeyCase.ofType("DECIMAL(65,30)", edged(decimal(35, 30), "0", "0." + "0".repeat(29) + "1", "-" + "9".repeat(35) + "." + "9".repeat(30))),
                KeyCase.ofType("DECIMAL(65,0)", edged(decimal(65, 0), "0", "9".repeat(65), "-" + "9".repeat(65))),
                KeyCase.ofType("DECIMAL(30,30)", edged(decimal(0, 30), "0", "-0." + "9".repeat(30))),
                KeyCase.ofType("DECIMAL(10,2) UNSIGNED", random -> "%d.%02d".formatted(random.nextInt(100_000_000), random.nextInt(100))),
                KeyCase.ofType("DECIMAL(3,1)", decimal(2, 1)),
                KeyCase.ofType("FLOAT", edged(
                        random -> finite(random, () -> Float.intBitsToFloat(random.nextInt())),
                        "0", "-0e0", "1.4e-45", "-1.4e-45", "1.17549e-38", "3.4028234e38", "-3.4028234e38", "0.1", "16777216")),
                KeyCase.ofType("FLOAT UNSIGNED", edged(random -> String.valueOf(random.nextFloat()), "0", "1.4e-45", "3.4028234e38")),
                KeyCase.ofType("DOUBLE", edged(
                        random -> finite(random, () -> Double.longBitsToDouble(random.nextLong())),
                        "0", "-0e0", "4.9e-324", "-4.9e-324", "2.2250738585072014e-308", "1.7976931348623157e308", "-1.7976931348623157e308", "0.1")),
                KeyCase.ofType("DOUBLE UNSIGNED", edged(random -> String.valueOf(random.nextDouble()), "0", "4.9e-324")),
                KeyCase.ofType("DOUBLE(12,3)", random -> String.valueOf(random.nextInt() / 1000.0)));
    }

    static List<KeyCase> temporals()
    {
        return List.of(
                KeyCase.ofType("DATE", random -> "'%s'".formatted(dateText(random))),
                KeyCase.ofType("DATETIME", dateTime(0)),
                KeyCase.ofType("DATETIME(3)", dateTime(3)),
                KeyCase.ofType("DATETIME(6)", dateTime(6)),
                KeyCase.ofType("TIMESTAMP", timestamp(0)),
                KeyCase.ofType("TIMESTAMP(1)", timestamp(1)),
                KeyCase.ofType("TIMESTAMP(6)", timestamp(6)),
                KeyCase.ofType("TIME", time(0)),
                KeyCase.ofType("TIME(1)", time(1)),
                KeyCase.ofType("TIME(6)", time(6)));
    }

    static List<KeyCase> texts()
    {
        return List.of(
                KeyCase.ofType("VARCHAR(30) COLLATE utf8mb4_0900_ai_ci", text(30)),
                KeyCase.ofType("VARCHAR(30) COLLATE utf8mb4_bin", text(30)),
                KeyCase.ofType("VARCHAR(30) CHARACTER SET latin1", random -> "_latin1 x'%s'".formatted(bytes(random, random.nextInt(8)))),
                KeyCase.ofType("VARCHAR(30) CHARACTER SET utf16", text(30)),
                KeyCase.ofType("CHAR(20) COLLATE utf8mb4_0900_ai_ci", text(20)),
                KeyCase.ofType("CHAR(20) COLLATE utf8mb4_general_ci", text(20)));
    }

    static List<KeyCase> binaries()
    {
        return List.of(
                KeyCase.ofType("BINARY(6)", random -> "x'%s'".formatted(bytes(random, random.nextInt(7)))),
                KeyCase.ofType("BINARY(16)", random -> "x'%s'".formatted(bytes(random, 16))),
                KeyCase.ofType("VARBINARY(20)", random -> "x'%s'".formatted(bytes(random, random.nextInt(21)))));
    }

    static List<KeyCase> members()
    {
        return List.of(
                // Their order by name is another.
                KeyCase.ofType("ENUM (7 members)", "ENUM('c', 'b', 'a', '10', '9', '', 'é')", random -> String.valueOf(1 + random.nextInt(7))),
                KeyCase.ofType("ENUM (900 members)", "ENUM(%s)".formatted(membersOf(900)), random -> String.valueOf(1 + random.nextInt(900))),
                KeyCase.ofType("ENUM (2,000 members)", "ENUM(%s)".formatted(membersOf(2_000)), random -> String.valueOf(1 + random.nextInt(2_000))),
                KeyCase.ofType("SET (3 members)", "SET('x', 'a', 'm')", random -> String.valueOf(random.nextInt(8))),
                KeyCase.ofType("SET (64 members)", "SET(%s)".formatted(membersOf(64)), edged(random -> Long.toUnsignedString(random.nextLong()), "0", "18446744073709551615")));
    }

    private static String membersOf(int count)
    {
        return IntStream.range(0, count).mapToObj(i -> "'m%s'".formatted((i * 7919L) % 100_003)).collect(joining(", "));
    }

    // One value in eight is one of the edges.
    private static Function<Random, String> edged(Function<Random, String> any, String... edges)
    {
        return random -> random.nextInt(8) == 0 ? edges[random.nextInt(edges.length)] : any.apply(random);
    }

    // The numbers have any length, so that all magnitudes meet.
    private static Function<Random, String> decimal(int whole, int scale)
    {
        return random -> {
            BigInteger digits = new BigInteger(random.nextInt((int) ((whole + scale) * 3.32)) + 1, random);
            String text = "0".repeat(scale) + digits;
            String number = scale == 0 ? text : "0" + text.substring(0, text.length() - scale) + "." + text.substring(text.length() - scale);
            return (random.nextBoolean() ? "-" : "") + number;
        };
    }

    private static String finite(Random random, Supplier<? extends Number> any)
    {
        if (random.nextBoolean()) {
            return String.valueOf((random.nextInt(20_000) - 10_000) / 7.0);
        }
        Number number = any.get();
        return Double.isFinite(number.doubleValue()) ? number.toString() : "1";
    }

    // A third has no month or no day; some were never in a calendar.
    private static String dateText(Random random)
    {
        int year = random.nextInt(4) == 0 ? random.nextInt(10_000) : 2000 + random.nextInt(30);
        return switch (random.nextInt(9)) {
            case 0 -> "0000-00-00";
            case 1 -> "%04d-00-00".formatted(year);
            case 2 -> "%04d-%02d-%02d".formatted(year, random.nextInt(13), random.nextInt(2) * 31);
            default -> "%04d-%02d-%02d".formatted(year, 1 + random.nextInt(12), 1 + random.nextInt(28));
        };
    }

    private static Function<Random, String> dateTime(int scale)
    {
        return random -> "'%s %s'".formatted(dateText(random), clock(random, 24, random.nextInt(4) == 0 ? 0 : scale));
    }

    // As their own zone's noon is another zone's yesterday, and the hour that changes twice a year has two texts in one.
    private static Function<Random, String> timestamp(int scale)
    {
        return edged(
                random -> "'%04d-%02d-%02d %s'".formatted(1971 + random.nextInt(67), 1 + random.nextInt(12), 1 + random.nextInt(28), clock(random, 24, scale)),
                "0", "'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'", "'2024-10-27 00:30:00'", "'2024-10-27 01:30:00'", "'2024-03-31 01:00:00'", "'2024-11-03 06:30:00'");
    }

    private static Function<Random, String> time(int scale)
    {
        return edged(
                random -> "'%s%s'".formatted(random.nextBoolean() ? "-" : "", clock(random, random.nextBoolean() ? 839 : 2, scale)),
                "'00:00:00'", "'838:59:59'", "'-838:59:59'", scale == 0 ? "'-00:00:01'" : "'-00:00:00.1'");
    }

    private static String clock(Random random, int hours, int scale)
    {
        String whole = "%02d:%02d:%02d".formatted(random.nextInt(hours), random.nextInt(60), random.nextInt(60));
        // The last hour has no fraction after its last second.
        if (scale == 0 || whole.equals("838:59:59")) {
            return whole;
        }
        return whole + "." + String.valueOf(random.nextInt(1_000_000) + 1_000_000).substring(1, scale + 1);
    }

    private static Function<Random, String> text(int length)
    {
        return random -> RandomText.literal(RandomText.draw(random, length));
    }

    static String bytes(Random random, int length)
    {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        // Zeros at the end, which BINARY cannot tell from its padding.
        if (length > 0 && random.nextInt(4) == 0) {
            bytes[length - 1] = 0;
        }
        return HexFormat.of().formatHex(bytes);
    }
}
