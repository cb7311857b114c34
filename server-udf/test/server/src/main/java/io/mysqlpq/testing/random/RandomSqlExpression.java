package io.mysqlpq.testing.random;

import java.util.List;
import java.util.Random;

/** Draws expressions of Trino over the columns of a nasty table. None of them fails for any row. */
record RandomSqlExpression(NastyTable table, Random random)
{
    // Cast so that no operation leaves its type.
    String number(int depth)
    {
        if (depth == 0) {
            return leaf();
        }
        return switch (random.nextInt(9)) {
            case 0 -> "(%s + %s)".formatted(number(depth - 1), number(depth - 1));
            case 1 -> "(%s - %s)".formatted(number(depth - 1), number(depth - 1));
            case 2 -> "(%s * %s)".formatted(leaf(), oneOf(List.of("2", "-3", "DECIMAL '0.5'", "DECIMAL '1.25'", "BIGINT '7'")));
            case 3 -> "(%s %% %s)".formatted(leaf(), oneOf(List.of("2", "-7", "DECIMAL '0.3'", "BIGINT '10'")));
            case 4 -> "(%s / %s)".formatted(leaf(), oneOf(List.of("2", "-7", "DECIMAL '0.03'", "BIGINT '10'")));
            case 5 -> "coalesce(%s, 0)".formatted(leaf());
            case 6 -> "nullif(%s, %s)".formatted(leaf(), oneOf(List.of("0", "1", "-1")));
            case 7 -> "-(%s)".formatted(number(depth - 1));
            default -> part();
        };
    }

    private String leaf()
    {
        List<String> names = table.columns().stream().filter(column -> column.kind() == NastyKind.NUMBER).map(NastyColumn::name).toList();
        String name = names.isEmpty() || random.nextInt(5) == 0 ? "n" : oneOf(names);
        // Sums of thousands of values, and products of a few, stay far from the ends of the types.
        return random.nextBoolean() ? "CAST(%s AS DECIMAL(24, 2))".formatted(name) : name.equals("bu") || name.equals("d") ? "(%s)".formatted(name) : "CAST(%s AS BIGINT)".formatted(name);
    }

    // Of a date, or of a text.
    private String part()
    {
        List<NastyColumn> dates = table.columns().stream().filter(column -> column.definition().startsWith("DATE")).toList();
        List<NastyColumn> texts = texts();
        if (!dates.isEmpty() && (texts.isEmpty() || random.nextBoolean())) {
            return "%s(%s)".formatted(oneOf(List.of("year", "quarter", "month", "day", "day_of_week", "day_of_year", "week")), oneOf(dates).name());
        }
        return texts.isEmpty() ? leaf() : "length(%s)".formatted(oneOf(texts).name());
    }

    private List<NastyColumn> texts()
    {
        return table.columns().stream().filter(column -> column.definition().startsWith("VARCHAR")).toList();
    }

    /** Of any type by which rows can be grouped. */
    String key()
    {
        List<NastyColumn> dates = table.columns().stream().filter(column -> column.definition().startsWith("DATE")).toList();
        List<NastyColumn> texts = texts();
        return switch (random.nextInt(5)) {
            case 0 -> dates.isEmpty() ? number(1) : date(oneOf(dates).name());
            case 1 -> texts.isEmpty() ? number(1) : oneOf(List.of("substr(%s, 1, 1)", "substr(%s, -2)", "coalesce(%s, 'none')", "%s = 'a'", "%s LIKE 'a%%'")).formatted(oneOf(texts).name());
            case 2 -> "(%s %s %s)".formatted(number(1), oneOf(List.of("<", "=", ">=", "<>")), number(1));
            default -> number(2);
        };
    }

    // Months later, a leap day may be another one.
    private String date(String name)
    {
        return random.nextBoolean()
                ? "date_trunc('%s', %s)".formatted(oneOf(List.of("day", "week", "month", "quarter", "year")), name)
                : "%s %s INTERVAL '%s' %s".formatted(name, oneOf(List.of("+", "-")), oneOf(List.of("1", "2", "12", "30")), oneOf(List.of("DAY", "MONTH")));
    }

    private <T> T oneOf(List<T> all)
    {
        return all.get(random.nextInt(all.size()));
    }
}
