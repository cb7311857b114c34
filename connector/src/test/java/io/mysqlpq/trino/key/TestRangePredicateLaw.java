package io.mysqlpq.trino.key;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

/** Cuts a table at each of its own rows, NULLs included: MySQL must see each row on exactly one side. */
class TestRangePredicateLaw
{
    private static final List<KeyColumn> COLUMNS = ImmutableList.of(
            KeyColumn.integer("a").withNullable(),
            KeyColumn.text("b", "utf8mb4", "utf8mb4_0900_ai_ci").withNullable().withDescending(),
            KeyColumn.integer("c").withNullable().withDescending());

    @Test
    void testEachRowIsOnOneSideAndInIndexOrder()
            throws Exception
    {
        try (MysqlServer mysql = MysqlServer.builder().extension(false).start()) {
            mysql.execute(
                    "CREATE DATABASE test",
                    "CREATE TABLE test.t (a INT NULL, b VARCHAR(10) NULL, c BIGINT UNSIGNED NULL, KEY k (a, b DESC, c DESC))",
                    "CREATE TABLE test.v (n INT, s VARCHAR(10))",
                    "INSERT INTO test.v VALUES (NULL, NULL), (0, ''), (-3, 'a'), (7, 'Ä'), (2147483647, 'z\\'\\\\')",
                    "INSERT INTO test.t SELECT x.n, y.s, ABS(CAST(z.n AS SIGNED)) FROM test.v x, test.v y, test.v z");
            try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
                List<KeyBound> bounds = bounds(statement);
                assertThat(bounds).hasSize(125);
                RangePredicate predicate = new RangePredicate(new IndexKey("k", false, COLUMNS), name -> "`" + name + "`");
                for (int i = 0; i < bounds.size(); i++) {
                    long before = count(statement, predicate.toSql(new KeyRange(Optional.empty(), Optional.of(bounds.get(i)))));
                    long after = count(statement, predicate.toSql(new KeyRange(Optional.of(bounds.get(i)), Optional.empty())));
                    assertThat(before + after).isEqualTo(bounds.size());
                    assertThat(before).as("rows before %s", bounds.get(i)).isEqualTo(rowsSmallerThan(bounds, i));
                }
            }
        }
    }

    @Test
    void testKeysThatDifferInCaseOnly()
            throws Exception
    {
        try (MysqlServer mysql = MysqlServer.builder().extension(false).start()) {
            mysql.execute(
                    "CREATE DATABASE test",
                    "CREATE TABLE test.t (a VARCHAR(10) COLLATE utf8mb4_bin, b VARCHAR(10) COLLATE utf8mb4_bin, PRIMARY KEY (a, b))",
                    "CREATE TABLE test.v (s VARCHAR(10))",
                    "INSERT INTO test.v VALUES ('A'), ('a'), ('B'), ('b'), ('aA'), ('aa')",
                    "INSERT INTO test.t SELECT x.s, y.s FROM test.v x, test.v y");
            RangePredicate predicate = new RangePredicate(
                    new IndexKey("PRIMARY", true, ImmutableList.of(KeyColumn.text("a", "utf8mb4", "utf8mb4_bin"), KeyColumn.text("b", "utf8mb4", "utf8mb4_bin"))),
                    name -> "`" + name + "`");
            try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
                List<KeyBound> keys = textBounds(statement);
                for (int from = 0; from < keys.size(); from++) {
                    for (int to = from + 1; to < keys.size(); to++) {
                        Optional<String> between = predicate.toSql(new KeyRange(Optional.of(keys.get(from)), Optional.of(keys.get(to))));
                        assertThat(count(statement, between)).as(between.orElseThrow()).isEqualTo(to - from);
                    }
                }
            }
        }
    }

    /** Each pair of keys, also where no whole value of the first column lies between them. */
    @Test
    void testRangesBetweenIntegers()
            throws Exception
    {
        try (MysqlServer mysql = MysqlServer.builder().extension(false).start()) {
            mysql.execute(
                    "CREATE DATABASE test",
                    "CREATE TABLE test.t (a BIGINT UNSIGNED, b INT, PRIMARY KEY (a, b DESC))",
                    "CREATE TABLE test.v (n BIGINT UNSIGNED)",
                    "INSERT INTO test.v VALUES (0), (9999), (10000), (10001), (10002), (20000), (18446744073709551614), (18446744073709551615)",
                    "INSERT INTO test.t SELECT x.n, y.n FROM test.v x, test.v y WHERE y.n < 10002");
            RangePredicate predicate = new RangePredicate(
                    new IndexKey("PRIMARY", true, ImmutableList.of(KeyColumn.integer("a"), KeyColumn.integer("b").withDescending())),
                    name -> "`" + name + "`");
            try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
                List<KeyBound> keys = integerBounds(statement);
                assertThat(keys).hasSize(32);
                for (int from = 0; from < keys.size(); from++) {
                    for (int to = from + 1; to < keys.size(); to++) {
                        Optional<String> between = predicate.toSql(new KeyRange(Optional.of(keys.get(from)), Optional.of(keys.get(to))));
                        assertThat(count(statement, between)).as(between.orElseThrow()).isEqualTo(to - from);
                    }
                }
                // Bounds of the first column only: all rows of it come at or after.
                for (int from = 0; from < keys.size(); from += 4) {
                    for (int to = from + 4; to < keys.size(); to += 4) {
                        Optional<String> between = predicate.toSql(new KeyRange(Optional.of(leading(keys.get(from))), Optional.of(leading(keys.get(to)))));
                        assertThat(count(statement, between)).as(between.orElseThrow()).isEqualTo(to - from);
                    }
                }
            }
        }
    }

    private static KeyBound leading(KeyBound bound)
    {
        return KeyBound.of(bound.values().getFirst());
    }

    private static List<KeyBound> integerBounds(Statement statement)
            throws Exception
    {
        Stream.Builder<KeyBound> bounds = Stream.builder();
        try (ResultSet rows = statement.executeQuery("SELECT a, b FROM test.t ORDER BY a, b DESC")) {
            while (rows.next()) {
                bounds.add(KeyBound.of(new IntegerKeyValue(rows.getString(1)), new IntegerKeyValue(rows.getString(2))));
            }
        }
        return bounds.build().collect(toImmutableList());
    }

    private static List<KeyBound> textBounds(Statement statement)
            throws Exception
    {
        Stream.Builder<KeyBound> bounds = Stream.builder();
        try (ResultSet rows = statement.executeQuery("SELECT LOWER(HEX(a)), LOWER(HEX(b)) FROM test.t ORDER BY a, b")) {
            while (rows.next()) {
                bounds.add(KeyBound.of(text(rows.getString(1)), text(rows.getString(2))));
            }
        }
        return bounds.build().collect(toImmutableList());
    }

    // 'a' and 'Ä' are equal to the collation, so up to two rows tie.
    private static long rowsSmallerThan(List<KeyBound> bounds, int position)
    {
        return IntStream.range(0, position).filter(i -> !tie(bounds.get(i), bounds.get(position))).count();
    }

    private static boolean tie(KeyBound left, KeyBound right)
    {
        return left.values().getFirst().equals(right.values().getFirst())
                && left.values().getLast().equals(right.values().getLast())
                && isLetterA(left.values().get(1)) && isLetterA(right.values().get(1));
    }

    private static boolean isLetterA(KeyValue value)
    {
        return value instanceof TextKeyValue(String hex) && (hex.equals("61") || hex.equals("c384"));
    }

    private static List<KeyBound> bounds(Statement statement)
            throws Exception
    {
        Stream.Builder<KeyBound> bounds = Stream.builder();
        try (ResultSet rows = statement.executeQuery("SELECT a, LOWER(HEX(b)), c FROM test.t ORDER BY a, b DESC, c DESC")) {
            while (rows.next()) {
                bounds.add(KeyBound.of(number(rows.getString(1)), text(rows.getString(2)), number(rows.getString(3))));
            }
        }
        return bounds.build().collect(toImmutableList());
    }

    private static KeyValue number(String value)
    {
        return value == null ? new NullKeyValue() : new IntegerKeyValue(value);
    }

    private static KeyValue text(String hex)
    {
        return hex == null ? new NullKeyValue() : new TextKeyValue(hex);
    }

    private static long count(Statement statement, Optional<String> predicate)
            throws Exception
    {
        try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM test.t WHERE " + predicate.orElseThrow())) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
