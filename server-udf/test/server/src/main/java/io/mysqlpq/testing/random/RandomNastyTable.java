package io.mysqlpq.testing.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;

/**
 * Draws a nasty table of any shape: its key or none, partitions, row format, secondary and generated columns, columns added and dropped in place.
 *
 * @param table the columns that it has in the end
 * @param statements MySQL's, that make and fill it, in a session that is not strict and whose time zone is UTC
 */
public record RandomNastyTable(NastyTable table, List<String> statements)
{
    private static final int ROWS_OF_STATEMENT = 100;
    private static final Pattern WHOLE_PRIMARY_KEY = Pattern.compile("PRIMARY KEY \\([^()]*\\)");
    private static final List<String> ROW_FORMATS = List.of("", "", " ROW_FORMAT=DYNAMIC", " ROW_FORMAT=COMPACT", " ROW_FORMAT=REDUNDANT", " ROW_FORMAT=COMPRESSED");
    private static final List<String> PARTITIONS = List.of(
            " PARTITION BY HASH (n) PARTITIONS 3",
            " PARTITION BY KEY (n) PARTITIONS 5",
            " PARTITION BY RANGE (n) (PARTITION p0 VALUES LESS THAN (40), PARTITION p1 VALUES LESS THAN (41), PARTITION p2 VALUES LESS THAN MAXVALUE)",
            " PARTITION BY LIST (n % 4) (PARTITION p0 VALUES IN (0, 3), PARTITION p1 VALUES IN (1), PARTITION p2 VALUES IN (2))");

    public RandomNastyTable
    {
        statements = List.copyOf(statements);
    }

    public static RandomNastyTable draw(String schema, String name, int rows, Random random)
    {
        return new Draw(schema + "." + name, random).table(name, rows);
    }

    /** Whether its rows lie in the order of a primary key of whole values. */
    public boolean isKeyed()
    {
        return WHOLE_PRIMARY_KEY.matcher(statements.getFirst()).find();
    }

    /**
     * Columns that a session may change while others read older versions of the rows. MySQL 9.7 itself gives some of these versions only the prefix of a
     * column that has one in a key, where columns were added instantly.
     */
    public List<NastyColumn> changeable()
    {
        return table.columns().stream().filter(column -> !column.definition().contains(" AS ") && !statements.getFirst().contains(column.name() + "(")).toList();
    }

    /** Adds a row with a number that no row has, in a session as that of the other statements. */
    public String insert(String schema, int n, Random random)
    {
        return "INSERT INTO %s.%s (n, %s) VALUES (%d, %s)".formatted(
                schema,
                table.name(),
                table.columns().stream().map(NastyColumn::name).collect(joining(", ")),
                n,
                table.columns().stream().map(column -> column.presentValue(random)).collect(joining(", ")));
    }

    private record Draw(String qualifiedName, Random random)
    {
        // With these any two tables can be joined.
        private static final List<NastyColumn> ALWAYS = NastyColumns.COLUMNS.stream().filter(column -> column.name().equals("i") || column.name().equals("ai")).toList();
        private static final List<NastyColumn> GENERATED = List.of(
                new NastyColumn("virtual_number", "INT AS (n % 7 - 3) VIRTUAL", NastyKind.NUMBER, List.of("INTEGER '-3'", "INTEGER '0'", "INTEGER '3'"), List.of("DEFAULT"), false),
                new NastyColumn("stored_text", "VARCHAR(40) COLLATE utf8mb4_0900_ai_ci AS (CONCAT(ELT(n % 3 + 1, 'a', 'A', 'ä'), REPEAT(' ', n % 2))) STORED", NastyKind.TEXT,
                        Stream.of("a", "A", "ä ", "a ").map(NastyColumns::text).toList(), List.of("DEFAULT"), true));

        RandomNastyTable table(String name, int rows)
        {
            List<NastyColumn> columns = columns();
            List<NastyColumn> generated = random.nextInt(3) == 0 ? GENERATED : List.of();
            List<NastyColumn> late = drawFrom(columns, random.nextInt(3));
            List<NastyColumn> early = columns.stream().filter(column -> !late.contains(column)).toList();
            List<NastyColumn> key = drawFrom(early.stream().filter(Draw::isOfKey).filter(Draw::isOrdered).toList(), random.nextInt(3));
            String rowFormat = oneOf(ROW_FORMATS);
            List<Integer> numbers = new ArrayList<>(IntStream.range(0, rows).boxed().toList());
            Collections.shuffle(numbers, random);
            // Rows of before and after a change in place are read by unlike layouts.
            String algorithm = rowFormat.contains("COMPRESSED") ? "" : ", ALGORITHM=INSTANT";
            List<String> statements = new ArrayList<>();
            statements.add(create(early, generated, key, rowFormat));
            statements.addAll(inserts(early, key, numbers.subList(0, rows / 2)));
            late.forEach(column -> statements.add(add(column) + algorithm));
            statements.add("ALTER TABLE %s %s%s".formatted(qualifiedName, oneOf(List.of("DROP COLUMN dropped", "RENAME COLUMN dropped TO unused")), algorithm));
            statements.addAll(inserts(columns, key, numbers.subList(rows / 2, rows)));
            statements.add("DELETE FROM %s WHERE n %% %d = %d".formatted(qualifiedName, 3 + random.nextInt(20), random.nextInt(3)));
            statements.add(update(columns.stream().filter(column -> !key.contains(column)).toList()));
            statements.add("ANALYZE TABLE " + qualifiedName);
            return new RandomNastyTable(new NastyTable(name, Stream.concat(columns.stream(), generated.stream()).toList()), statements);
        }

        private List<NastyColumn> columns()
        {
            List<NastyColumn> others = Stream.of(NastyColumns.COLUMNS, NastyColumns.EXTREMES, NastyColumns.EXTREMES).flatMap(List::stream).filter(column -> !ALWAYS.contains(column)).toList();
            List<NastyColumn> columns = new ArrayList<>(ALWAYS);
            columns.addAll(drawFrom(others, 3 + random.nextInt(10)));
            Collections.shuffle(columns, random);
            return columns;
        }

        private String create(List<NastyColumn> columns, List<NastyColumn> generated, List<NastyColumn> key, String rowFormat)
        {
            String definitions = Stream.concat(columns.stream(), generated.stream())
                    .map(column -> "%s %s%s".formatted(column.name(), column.definition(), key.contains(column) ? " NOT NULL" : generated.contains(column) ? "" : " NULL"))
                    .collect(joining(", "));
            String kind = oneOf(List.of("PRIMARY KEY", "PRIMARY KEY", "PRIMARY KEY", "UNIQUE KEY", "KEY", ""));
            String keys = kind.isEmpty() ? "" : ", %s (%s)".formatted(kind, Stream.concat(key.stream().map(column -> part(column)), Stream.of("n" + direction())).collect(joining(", ")));
            List<NastyColumn> secondary = drawFrom(Stream.concat(columns.stream(), generated.stream()).filter(Draw::isOfKey).toList(), random.nextInt(3));
            String secondaryKey = secondary.isEmpty() ? "" : ", KEY secondary (%s)".formatted(secondary.stream().map(column -> part(column)).collect(joining(", ")));
            String blockSize = rowFormat.contains("COMPRESSED") ? " KEY_BLOCK_SIZE=8" : "";
            return "CREATE TABLE %s (n INT NOT NULL, dropped VARCHAR(100) DEFAULT 'dropped', %s%s%s)%s%s%s".formatted(
                    qualifiedName, definitions, keys, secondaryKey, rowFormat, blockSize, random.nextInt(4) == 0 ? oneOf(PARTITIONS) : "");
        }

        private String add(NastyColumn column)
        {
            // MySQL refuses a default that the column's character set has not.
            boolean holdsAll = !column.definition().contains("COLLATE") || column.definition().contains("COLLATE utf8mb4");
            String value = holdsAll ? column.presentValue(random) : "'a'";
            // Nor does it take a call for one.
            boolean isLiteral = !value.startsWith("REPEAT(") && !value.startsWith("CONCAT(");
            String byDefault = column.typeName().matches(".*(TEXT|BLOB)|JSON|ENUM|SET") || random.nextBoolean() || !isLiteral ? "" : " DEFAULT " + value;
            return "ALTER TABLE %s ADD COLUMN %s %s NULL%s%s".formatted(qualifiedName, column.name(), column.definition(), byDefault, oneOf(List.of("", " FIRST", " AFTER n")));
        }

        private String update(List<NastyColumn> columns)
        {
            NastyColumn column = oneOf(columns);
            return "UPDATE %s SET %s = %s WHERE n %% 7 = 3".formatted(qualifiedName, column.name(), column.value(random));
        }

        private String part(NastyColumn column)
        {
            // COMPACT and REDUNDANT rows have keys of at most 767 bytes a column.
            boolean prefixNeeded = column.typeName().matches(".*(TEXT|BLOB)") || column.definition().startsWith("VARCHAR(300)");
            boolean prefixAllowed = column.typeName().matches("CHAR|VARCHAR|BINARY|VARBINARY");
            String prefix = prefixNeeded || (prefixAllowed && random.nextInt(3) == 0) ? "(%d)".formatted(1 + random.nextInt(4)) : "";
            return column.name() + prefix + direction();
        }

        private String direction()
        {
            return random.nextInt(3) == 0 ? " DESC" : "";
        }

        private List<String> inserts(List<NastyColumn> columns, List<NastyColumn> key, List<Integer> numbers)
        {
            String names = columns.stream().map(NastyColumn::name).collect(joining(", "));
            return IntStream.range(0, (numbers.size() + ROWS_OF_STATEMENT - 1) / ROWS_OF_STATEMENT)
                    .mapToObj(i -> numbers.subList(i * ROWS_OF_STATEMENT, Math.min((i + 1) * ROWS_OF_STATEMENT, numbers.size())))
                    .map(rows -> "INSERT INTO %s (n, %s) VALUES %s".formatted(qualifiedName, names, rows.stream().map(n -> row(n, columns, key)).collect(joining(", "))))
                    .toList();
        }

        private String row(int n, List<NastyColumn> columns, List<NastyColumn> key)
        {
            return columns.stream().map(column -> key.contains(column) ? column.presentValue(random) : column.value(random)).collect(joining(", ", "(%d, ".formatted(n), ")"));
        }

        private static boolean isOfKey(NastyColumn column)
        {
            return !column.typeName().equals("JSON");
        }

        // There are no ranges of these: docs/key-types.md.
        private static boolean isOrdered(NastyColumn column)
        {
            return !(column.typeName().equals("CHAR") && column.definition().contains("tis620_thai_ci")) && !column.definition().contains("gb18030_chinese_ci");
        }

        private List<NastyColumn> drawFrom(List<NastyColumn> columns, int count)
        {
            List<NastyColumn> shuffled = new ArrayList<>(columns.stream().distinct().toList());
            Collections.shuffle(shuffled, random);
            return List.copyOf(shuffled.subList(0, Math.min(count, shuffled.size())));
        }

        private <T> T oneOf(List<T> values)
        {
            return values.get(random.nextInt(values.size()));
        }
    }
}
