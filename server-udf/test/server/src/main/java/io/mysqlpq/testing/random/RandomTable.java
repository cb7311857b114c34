package io.mysqlpq.testing.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;

/**
 * Draws a table with a composite primary key and secondary indexes, and fills it.
 */
public final class RandomTable
{
    private static final List<String> NAMES = List.of("plain", "select", "with space", "quote\"d", "back`tick", "käse", "back\\slash", "a.b");

    private final String name;
    private final Random random;
    private final List<RandomColumn> key;
    private final List<RandomColumn> columns;

    public RandomTable(String name, Random random)
    {
        this.name = name;
        this.random = random;
        this.key = IntStream.range(0, 1 + random.nextInt(3)).mapToObj(i -> column("k" + i, false)).toList();
        this.columns = new ArrayList<>(key);
        IntStream.range(0, 1 + random.nextInt(3)).forEach(i -> columns.add(column("c" + i, true)));
    }

    public String name()
    {
        return name;
    }

    public List<String> indexes()
    {
        return List.of("PRIMARY", "s0", "s1");
    }

    public String ddl()
    {
        return "CREATE TABLE %s (%s, filler VARCHAR(100) DEFAULT 'padding padding padding', PRIMARY KEY (%s), KEY s0 (%s), KEY s1 (%s))".formatted(
                name,
                columns.stream().map(RandomColumn::ddl).collect(joining(", ")),
                key.stream().map(column -> column.keyPart(random, false)).collect(joining(", ")),
                secondaryKey(),
                secondaryKey());
    }

    public String insert(int rows)
    {
        return "INSERT IGNORE INTO %s (%s) VALUES %s".formatted(
                name,
                columns.stream().map(column -> "`" + column.name().replace("`", "``") + "`").collect(joining(", ")),
                IntStream.range(0, rows).mapToObj(_ -> row()).collect(joining(", ")));
    }

    private RandomColumn column(String prefix, boolean nullable)
    {
        return RandomColumn.draw(prefix + NAMES.get(random.nextInt(NAMES.size())), nullable, random);
    }

    private String row()
    {
        return columns.stream().map(column -> column.literals().get()).collect(joining(", ", "(", ")"));
    }

    private String secondaryKey()
    {
        List<RandomColumn> parts = new ArrayList<>(columns);
        Collections.shuffle(parts, random);
        return parts.stream()
                .limit(1 + random.nextInt(3))
                .map(column -> column.keyPart(random, true))
                .collect(joining(", "));
    }
}
