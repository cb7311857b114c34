package io.mysqlpq.testing.random;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws conditions on the columns of one table, in Trino's SQL.
 */
record RandomPredicate(NastyTable table, Random random)
{
    private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM");
    private static final List<String> SPECIAL = List.of("%", "_", "%%", "_%", "%_");

    String where()
    {
        return random.nextInt(4) == 0 ? "" : " WHERE " + draw(3);
    }

    String draw(int depth)
    {
        return switch (depth == 0 ? 3 : random.nextInt(6)) {
            case 0 -> "(%s AND %s)".formatted(draw(depth - 1), draw(depth - 1));
            case 1 -> "(%s OR %s)".formatted(draw(depth - 1), draw(depth - 1));
            case 2 -> "NOT (%s)".formatted(draw(depth - 1));
            default -> random.nextInt(10) == 0 ? ofNumber() : of(column());
        };
    }

    /** Comparisons of these columns, or of the number, with literals. All of them have to hold. */
    String comparisons(int count, List<NastyColumn> columns)
    {
        return IntStream.range(0, count).mapToObj(_ -> random.nextInt(3) == 0 ? ofNumber() : comparison(oneOf(columns))).collect(Collectors.joining(" AND "));
    }

    /** A text in half of the cases, if the table has any. */
    NastyColumn column()
    {
        List<NastyColumn> texts = table.columns().stream().filter(column -> column.kind() == NastyKind.TEXT).toList();
        return oneOf(texts.isEmpty() || random.nextBoolean() ? table.columns() : texts);
    }

    <T> T oneOf(List<T> values)
    {
        return values.get(random.nextInt(values.size()));
    }

    private String ofNumber()
    {
        return "n %s %d".formatted(oneOf(COMPARISONS), random.nextInt(500));
    }

    private String of(NastyColumn column)
    {
        if (!column.kind().hasOrder()) {
            return isNull(column);
        }
        return switch (random.nextInt(8)) {
            case 0 -> isNull(column);
            case 1 -> "%s %sIN (%s)".formatted(column.name(), notOrNothing(), literals(column, 1 + random.nextInt(6)));
            case 2 -> "%s %sBETWEEN %s AND %s".formatted(column.name(), notOrNothing(), column.literal(random), column.literal(random));
            case 3 -> "%s %s %s".formatted(column.name(), oneOf(COMPARISONS), oneOf(table.columns().stream().filter(column::isLike).toList()).name());
            case 4 -> column.like() ? "%s %sLIKE %s".formatted(column.name(), notOrNothing(), pattern()) : comparison(column);
            default -> comparison(column);
        };
    }

    private String isNull(NastyColumn column)
    {
        return "%s IS %sNULL".formatted(column.name(), notOrNothing());
    }

    private String notOrNothing()
    {
        return random.nextBoolean() ? "NOT " : "";
    }

    private String comparison(NastyColumn column)
    {
        return "%s %s %s".formatted(column.name(), oneOf(COMPARISONS), column.literal(random));
    }

    private String literals(NastyColumn column, int count)
    {
        return IntStream.range(0, count).mapToObj(_ -> column.literal(random)).collect(Collectors.joining(", "));
    }

    private String pattern()
    {
        String pattern = Stream.generate(() -> random.nextInt(3) == 0 ? oneOf(SPECIAL) : oneOf(NastyColumns.TEXTS)).limit(random.nextInt(4)).collect(Collectors.joining());
        if (random.nextBoolean()) {
            return NastyColumns.text(pattern);
        }
        String escape = oneOf(List.of("|", "\\", "a", "%", "!"));
        return "%s ESCAPE %s".formatted(NastyColumns.text(escaped(pattern, escape.charAt(0))), NastyColumns.text(escape));
    }

    // Trino refuses patterns with an escape character before others than these.
    private String escaped(String pattern, char escape)
    {
        return pattern.codePoints()
                .mapToObj(Character::toString)
                .map(character -> character.equals("" + escape) || (SPECIAL.contains(character) && random.nextBoolean()) ? escape + character : character)
                .collect(Collectors.joining());
    }
}
