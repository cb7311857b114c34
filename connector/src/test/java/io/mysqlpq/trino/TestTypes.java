package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.types.TypeSamples;
import io.mysqlpq.trino.types.TypeSamples.TypeSample;
import io.trino.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads each MySQL type, compares it in a filter, and writes it back. */
@TestInstance(PER_CLASS)
class TestTypes
{
    private MysqlServer mysql;
    private TestingTrino trino;
    private int tables;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(false).option("default-time-zone", "+05:30").start();
        mysql.execute("CREATE DATABASE test");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of());
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @ParameterizedTest
    @MethodSource("typesSeenByTrino")
    void testType(String mysqlType)
    {
        List<TypeSample> samples = TypeSamples.of(mysqlType);
        String table = create(mysqlType, samples.stream().map(TypeSample::mysqlLiteral).toList());
        List<String> reads = new ArrayList<>();
        List<String> comparisons = new ArrayList<>();
        Map<String, Long> keys = new HashMap<>();
        for (int key = 1; key <= samples.size(); key++) {
            String name = "key " + key;
            Optional<String> literal = samples.get(key - 1).trinoLiteral();
            if (literal.isPresent()) {
                reads.add("SELECT '%s', k FROM %s WHERE v = %s".formatted(name, table, literal.get()));
                comparisons.add("(k = %d AND v = %s)".formatted(key, literal.get()));
                keys.put(name, (long) key);
            }
        }
        assertThat(trino.execute("SELECT DISTINCT typeof(v) FROM " + table).getOnlyValue()).isEqualTo(samples.getFirst().trinoType().orElseThrow());
        reads.add("SELECT 'NULL', k FROM %s WHERE v IS NULL".formatted(table));
        keys.put("NULL", 0L);
        // Not pushed down, so Trino compares what the decoder made.
        comparisons.add("false");
        reads.add("SELECT 'decoded', count(*) FROM %s WHERE (%s) = (rand() < 2)".formatted(table, String.join(" OR ", comparisons)));
        keys.put("decoded", comparisons.size() - 1L);
        assertThat(found(String.join(" UNION ALL ", reads))).isEqualTo(keys);
        if (comparisons.size() > 1) {
            // As many rows again, values and NULLs, through INSERT.
            trino.execute("INSERT INTO %s SELECT k + 100, v FROM %1$s".formatted(table));
            assertThat(trino.execute("SELECT count(*) FROM %s a JOIN %1$s b ON b.k = a.k + 100 AND (a.v = b.v OR (a.v IS NULL AND b.v IS NULL))".formatted(table)).getOnlyValue())
                    .isEqualTo(samples.size() + 1L);
        }
    }

    private static Stream<String> typesSeenByTrino()
    {
        return TypeSamples.all().stream().filter(sample -> sample.trinoType().isPresent()).map(TypeSample::mysqlType).distinct();
    }

    private Map<Object, Object> found(String sql)
    {
        return trino.execute(sql).getMaterializedRows().stream().collect(toMap(row -> row.getField(0), row -> row.getField(1)));
    }

    @Test
    void testFloatIsNotComparedByMysql()
    {
        String table = create("float", "3.14159");
        assertThat(trino.execute("SELECT k FROM %s WHERE v = REAL '3.14159'".formatted(table)).getOnlyValue()).isEqualTo(1);
    }

    @Test
    void testJson()
    {
        String table = create("json", "'{\"b\": [1, null], \"a\": \"ä\"}'");
        assertThat(trino.execute("SELECT json_format(v) FROM %s WHERE k = 1".formatted(table)).getOnlyValue()).isEqualTo("{\"a\":\"ä\",\"b\":[1,null]}");
    }

    @Test
    void testWideDecimalIsNumber()
    {
        String table = create("decimal(65, 30)", "12345678901234567890123456789012345.123456789012345678901234567891");
        assertThat(trino.execute("SELECT typeof(v), CAST(v AS varchar) FROM %s WHERE k = 1".formatted(table)).getMaterializedRows().getFirst().getFields())
                .containsExactly("number", "12345678901234567890123456789012345.123456789012345678901234567891");
    }

    @Test
    void testUnsupportedTypeIsHidden()
    {
        String table = create("bit(8)", "b'10000001'");
        assertThat(trino.execute("SELECT column_name FROM information_schema.columns WHERE table_schema = 'test' AND table_name = '%s'".formatted(table)).getOnlyColumnAsSet())
                .containsExactly("k");
        Session text = trino.session(ImmutableMap.of("unsupported_type_handling", "CONVERT_TO_VARCHAR"));
        assertThat(trino.execute(text, "SELECT typeof(v) FROM %s WHERE k = 1".formatted(table)).getOnlyValue()).isEqualTo("varchar");
    }

    @Test
    void testYearIsItsFirstDay()
    {
        mysql.execute("CREATE TABLE test.years (k INT PRIMARY KEY, v YEAR)", "INSERT INTO test.years VALUES (1, 2020), (2, 2021), (3, '0000'), (4, NULL)");
        assertThat(trino.execute("SELECT v FROM years WHERE k = 3").getOnlyValue()).isEqualTo(LocalDate.of(0, 1, 1));
        assertKeys("years", "v = DATE '2020-01-01'", 1);
        assertKeys("years", "v IN (DATE '2020-01-01', DATE '2021-01-01')", 1, 2);
        assertKeys("years", "v >= DATE '2020-06-01'", 2);
        assertKeys("years", "v IS NULL", 4);
        assertThat(trino.execute("SELECT y FROM TABLE(system.query('SELECT v AS y FROM test.years WHERE k = 2'))").getOnlyValue()).isEqualTo(LocalDate.of(2021, 1, 1));
        assertThat(trino.execute("DELETE FROM years WHERE v BETWEEN DATE '1999-06-01' AND DATE '2020-06-01'").getUpdateCount()).hasValue(1);
        assertKeys("years", "true", 2, 3, 4);
    }

    @ParameterizedTest
    @CsvSource({
            "date, DATE",
            "datetime, TIMESTAMP",
            "datetime(6), TIMESTAMP",
            "timestamp, TIMESTAMP",
            "timestamp(6), TIMESTAMP"})
    void testFiltersBeyondMysqlsCalendar(String type, String literal)
    {
        String zone = type.startsWith("timestamp") ? " UTC" : "";
        String table = create(type, "'2020-02-29'");
        for (String bound : new String[] {"+10000-01-01", "+12345-06-07", "-0001-01-01"}) {
            String value = literal.equals("DATE") ? "DATE '%s'".formatted(bound) : "TIMESTAMP '%s 00:00:00%s'".formatted(bound, zone);
            boolean late = bound.startsWith("+");
            assertKeys(table, "v < " + value, late ? new Integer[] {1} : new Integer[0]);
            assertKeys(table, "v > " + value, late ? new Integer[0] : new Integer[] {1});
            assertKeys(table, "v <> " + value, 1);
            assertKeys(table, "v = " + value);
        }
    }

    // 01:30 comes twice in New York that night, which is why the tests run in that zone.
    @ParameterizedTest
    @CsvSource({"timestamp", "timestamp(6)"})
    void testInstantsOfARepeatedHour(String type)
    {
        LocalDateTime twice = LocalDateTime.of(2021, 11, 7, 1, 30);
        assertThat(ZoneId.systemDefault().getRules().getValidOffsets(twice)).hasSize(2);
        String first = "TIMESTAMP '2021-11-07 05:30:00 UTC'";
        String second = "TIMESTAMP '2021-11-07 06:30:00 UTC'";
        String table = create(type, "'2021-11-07 05:30:00+00:00'");
        mysql.execute("INSERT INTO test.%s VALUES (3, '2021-11-07 06:30:00+00:00')".formatted(table));
        assertKeys(table, "v = " + first, 1);
        assertKeys(table, "v = " + second, 3);
        trino.execute("INSERT INTO %s VALUES (4, %s), (5, %s)".formatted(table, first, second));
        assertKeys(table, "v = " + first, 1, 4);
        assertKeys(table, "v = " + second, 3, 5);
        assertKeys(table, "(v = %s) = (rand() < 2)".formatted(first), 1, 4);
        assertThat(trino.execute("SELECT CAST(v AT TIME ZONE 'UTC' AS varchar) FROM TABLE(system.query('SELECT v FROM test.%s WHERE k = 4'))".formatted(table)).getOnlyValue().toString())
                .startsWith("2021-11-07 05:30:00");
        assertThat(trino.execute("DELETE FROM %s WHERE v = %s".formatted(table, first)).getUpdateCount()).hasValue(2);
        assertKeys(table, "v IS NOT NULL", 3, 5);
    }

    @ParameterizedTest
    @CsvSource({"swe7, åÄ", "geostd8, ა", "armscii8, Ա", "keybcs2, ž", "hp8, é", "dec8, Œ", "koi8u, ї", "cp1250, ł", "gb18030, 中", "utf16le, 😀", "macce, ő"})
    void testCharacterSets(String charset, String text)
    {
        mysql.execute(
                "CREATE TABLE test.charset_%s (k INT PRIMARY KEY, v VARCHAR(10) CHARACTER SET %1$s, e ENUM('%s') CHARACTER SET %1$s)".formatted(charset, text),
                "INSERT INTO test.charset_%s VALUES (1, '%s', '%2$s'), (2, 'x', NULL)".formatted(charset, text));
        assertThat(trino.execute("SELECT v, e FROM charset_%s WHERE k = 1".formatted(charset)).getMaterializedRows().getFirst().getFields()).containsExactly(text, text);
        assertKeys("charset_" + charset, "v = '%s'".formatted(text), 1);
        assertKeys("charset_" + charset, "e = '%s'".formatted(text), 1);
    }

    @Test
    void testInfinityIsComparedByTrino()
    {
        String table = create("double", "1.5");
        assertKeys(table, "v < infinity()", 1);
        assertKeys(table, "v > -infinity()", 1);
        assertKeys(table, "v = infinity()");
        assertKeys(table, "v <> nan()", 1);
    }

    @Test
    void testBytesThatMysqlComparesInItsOwnWay()
    {
        assertKeys(create("point", "ST_GeomFromText('POINT(1 2)')"), "to_hex(v) LIKE '%F03F%' AND v <> X'00'", 1);
    }

    @Test
    @NeedsMysql97
    void testVectorsThatMysqlComparesInItsOwnWay()
    {
        assertKeys(create("vector(2)", "STRING_TO_VECTOR('[1,2]')"), "v = X'0000803F00000040'", 1);
    }

    @ParameterizedTest
    @CsvSource({"0, 12:34:56", "1, 12:34:56.5", "3, 12:34:56.125", "5, 12:34:56.12345", "6, 12:34:56.123456"})
    void testTimeOfAQuery(int digits, String time)
    {
        assertThat(trino.execute("SELECT typeof(t), CAST(t AS varchar) FROM TABLE(system.query('SELECT CAST(''%s'' AS TIME(%d)) AS t'))".formatted(time, digits)).getMaterializedRows().getFirst().getFields())
                .containsExactly("time(%d)".formatted(digits), time);
    }

    // Both values reach Trino as the same REAL.
    @Test
    void testTopNOfRoundedValues()
    {
        mysql.execute("CREATE TABLE test.floats (k INT PRIMARY KEY, v FLOAT)", "INSERT INTO test.floats VALUES (1, 1.0000001), (2, 1.0000002)");
        assertThat(trino.execute("SELECT count(DISTINCT v) FROM floats").getOnlyValue()).isEqualTo(1L);
        assertThat(trino.execute("SELECT k FROM floats ORDER BY v DESC, k LIMIT 1").getOnlyValue()).isEqualTo(1);
    }

    @Test
    void testTextComparisons()
    {
        mysql.execute(
                "CREATE TABLE test.texts (k INT PRIMARY KEY, v VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, b VARCHAR(10) COLLATE utf8mb4_bin)",
                "INSERT INTO test.texts SELECT k, v, v FROM (SELECT 1 k, 'a' v UNION SELECT 2, 'A' UNION SELECT 3, 'a ' UNION SELECT 4, 'ä' UNION SELECT 5, 'B' UNION SELECT 6, 'b' UNION SELECT 7, '' UNION SELECT 8, NULL) x");
        for (String column : new String[] {"v", "b"}) {
            assertKeys("texts", column + " = 'a'", 1);
            assertKeys("texts", column + " <> 'a'", 2, 3, 4, 5, 6, 7);
            assertKeys("texts", column + " IN ('a', 'B')", 1, 5);
            assertKeys("texts", column + " NOT IN ('a', 'B')", 2, 3, 4, 6, 7);
            // Code point order: '' < 'A' < 'B' < 'a' < 'a ' < 'b' < 'ä'
            assertKeys("texts", column + " > 'a'", 3, 4, 6);
            assertKeys("texts", column + " < 'a'", 2, 5, 7);
            assertKeys("texts", column + " BETWEEN 'A' AND 'a'", 1, 2, 5);
            assertKeys("texts", column + " = 'a' OR " + column + " IS NULL", 1, 8);
            assertThat(trino.execute("SELECT k FROM texts ORDER BY %s DESC NULLS LAST LIMIT 1".formatted(column)).getOnlyValue()).isEqualTo(4);
            assertThat(trino.execute("SELECT count(DISTINCT %s) FROM texts".formatted(column)).getOnlyValue()).isEqualTo(7L);
        }
    }

    @Test
    void testOrderOfNullsInTopN()
    {
        mysql.execute("CREATE TABLE test.nulls (k INT PRIMARY KEY, v INT)", "INSERT INTO test.nulls VALUES (1, NULL), (2, 5), (3, 7)");
        assertThat(topK("v ASC NULLS FIRST")).isEqualTo(1);
        assertThat(topK("v ASC NULLS LAST")).isEqualTo(2);
        assertThat(topK("v DESC NULLS FIRST")).isEqualTo(1);
        assertThat(topK("v DESC NULLS LAST")).isEqualTo(3);
    }

    private Object topK(String order)
    {
        return trino.execute("SELECT k FROM nulls ORDER BY %s LIMIT 1".formatted(order)).getOnlyValue();
    }

    private void assertKeys(String table, String condition, Integer... keys)
    {
        assertThat(trino.execute("SELECT k FROM %s WHERE %s".formatted(table, condition)).getOnlyColumnAsSet()).containsExactlyInAnyOrder((Object[]) keys);
    }

    private String create(String mysqlType, String mysqlLiteral)
    {
        return create(mysqlType, List.of(mysqlLiteral));
    }

    // The keys count from 1; that of NULL is 0.
    private String create(String mysqlType, List<String> mysqlLiterals)
    {
        String table = "type" + ++tables;
        mysql.execute(
                "CREATE TABLE test.%s (k INT PRIMARY KEY, v %s NULL)".formatted(table, mysqlType),
                "INSERT INTO test.%s VALUES (0, NULL)".formatted(table));
        for (int key = 1; key <= mysqlLiterals.size(); key++) {
            mysql.execute("INSERT INTO test.%s VALUES (%d, %s)".formatted(table, key, mysqlLiterals.get(key - 1)));
        }
        return table;
    }
}
