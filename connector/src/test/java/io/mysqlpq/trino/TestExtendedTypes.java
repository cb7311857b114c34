package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.spi.type.ArrayType;
import io.trino.testing.datatype.SqlDataTypeTest;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/** Compares SET, YEAR, BIT(n), GEOMETRY and VECTOR as extended types with MySQL's own text of them. */
class TestExtendedTypes
        extends BaseTypeMappingTest
{
    private static final ArrayType STRINGS = new ArrayType(VARCHAR);
    private static final ArrayType REALS = new ArrayType(REAL);
    private static final String POINT = "X'0101000000000000000000f03f0000000000000040'";

    @Test
    void testTablesOfMysql()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("set('a','b c','😀')", "'😀,a'", STRINGS, "ARRAY[VARCHAR 'a', VARCHAR '😀']")
                .addRoundTrip("set('a','b c')", "''", STRINGS, "CAST(ARRAY[] AS array(varchar))")
                .addRoundTrip("set('a','')", "3", STRINGS, "ARRAY[VARCHAR 'a', VARCHAR '']")
                .addRoundTrip("set('a')", "NULL", STRINGS, "CAST(NULL AS array(varchar))")
                .addRoundTrip("year", "1901", INTEGER, "1901")
                .addRoundTrip("year", "2155", INTEGER, "2155")
                .addRoundTrip("year", "0", INTEGER, "0")
                .addRoundTrip("year", "70", INTEGER, "1970")
                .addRoundTrip("year", "NULL", INTEGER, "CAST(NULL AS integer)")
                .addRoundTrip("bit(1)", "1", BOOLEAN, "true")
                .addRoundTrip("bit(2)", "3", BIGINT, "BIGINT '3'")
                .addRoundTrip("bit(9)", "b'101000001'", BIGINT, "BIGINT '321'")
                .addRoundTrip("bit(63)", "9223372036854775807", BIGINT, "BIGINT '9223372036854775807'")
                .addRoundTrip("bit(64)", "18446744073709551615", createDecimalType(20), "DECIMAL '18446744073709551615'")
                .addRoundTrip("bit(64)", "0", createDecimalType(20), "CAST(0 AS decimal(20, 0))")
                .addRoundTrip("bit(8)", "NULL", BIGINT, "CAST(NULL AS bigint)")
                .addRoundTrip("point", "ST_GeomFromText('POINT(1 2)')", VARBINARY, POINT)
                .addRoundTrip("geometry", "NULL", VARBINARY, "CAST(NULL AS varbinary)")
                .execute(getQueryRunner(), extended(), mysqlTable());
    }

    @Test
    @NeedsMysql97
    void testVectors()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("vector(3)", "STRING_TO_VECTOR('[1.5,-2,3e10]')", REALS, "ARRAY[REAL '1.5', REAL '-2', REAL '3e10']")
                .addRoundTrip("vector(4)", "NULL", REALS, "CAST(NULL AS array(real))")
                .execute(getQueryRunner(), extended(), mysqlTable());
        SqlDataTypeTest.create()
                .addRoundTrip("vector(3)", "ARRAY[REAL '1.5', REAL '-2', REAL '3e10']", REALS, "ARRAY[REAL '1.5', REAL '-2', REAL '3e10']")
                .execute(getQueryRunner(), extended(), mysqlTableFilledByTrino(extended()));
    }

    @Test
    void testTablesFilledByTrino()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("set('a','b c','😀')", "ARRAY[VARCHAR '😀', VARCHAR 'a', VARCHAR 'a']", STRINGS, "ARRAY[VARCHAR 'a', VARCHAR '😀']")
                .addRoundTrip("set('a','b c')", "CAST(ARRAY[] AS array(varchar))", STRINGS, "CAST(ARRAY[] AS array(varchar))")
                .addRoundTrip("set('a')", "CAST(NULL AS array(varchar))", STRINGS, "CAST(NULL AS array(varchar))")
                .addRoundTrip("year", "1901", INTEGER, "1901")
                .addRoundTrip("year", "2155", INTEGER, "2155")
                .addRoundTrip("year", "0", INTEGER, "0")
                .addRoundTrip("bit(9)", "BIGINT '321'", BIGINT, "BIGINT '321'")
                .addRoundTrip("bit(63)", "BIGINT '9223372036854775807'", BIGINT, "BIGINT '9223372036854775807'")
                .addRoundTrip("bit(64)", "DECIMAL '18446744073709551615'", createDecimalType(20), "DECIMAL '18446744073709551615'")
                .addRoundTrip("geometry", POINT, VARBINARY, POINT)
                .addRoundTrip("geometry", "CAST(NULL AS varbinary)", VARBINARY, "CAST(NULL AS varbinary)")
                .execute(getQueryRunner(), extended(), mysqlTableFilledByTrino(extended()));
    }

    @Test
    void testRandomValuesAgainstMysqlsText()
            throws SQLException
    {
        long seed = new Random().nextLong();
        System.out.println("Seed of TestExtendedTypes: " + seed);
        Random random = new Random(seed);
        List<String> rows = new ArrayList<>();
        for (int key = 0; key < 200; key++) {
            rows.add("%d, %d, %d, %d, %d, %s, ST_GeomFromText('LINESTRING(%d %d,%d %d)', %d)".formatted(
                    key, random.nextInt(16), 1901 + random.nextInt(255), random.nextInt(8192), random.nextLong() >>> 1, Long.toUnsignedString(random.nextLong()),
                    random.nextInt(90), random.nextInt(90), random.nextInt(90), random.nextInt(90), random.nextBoolean() ? 4326 : 0));
        }
        try (TestTable table = new TestTable(
                mysql::execute,
                "test.random",
                "(k int primary key, s set('a','b','c','d'), y year, b bit(13), c bit(63), d bit(64), g geometry)",
                rows)) {
            assertThat(computeActual(extended(), """
                    SELECT array_join(s, ','), CAST(y AS varchar), CAST(b AS varchar), CAST(c AS varchar), CAST(d AS varchar), to_hex(g)
                    FROM %s ORDER BY k""".formatted(table.getName())).getMaterializedRows().stream().map(Object::toString).toList())
                    .isEqualTo(textOfMysql("""
                            SELECT s, CAST(y AS CHAR), CAST(b AS UNSIGNED), CAST(c AS UNSIGNED), CAST(d AS UNSIGNED), HEX(ST_AsBinary(g, 'axis-order=long-lat'))
                            FROM %s ORDER BY k""".formatted(table.getName())));
        }
    }

    @Test
    @NeedsMysql97
    void testRandomVectorsAgainstMysqlsBytes()
            throws SQLException
    {
        Random random = Seed.random();
        List<String> rows = IntStream.range(0, 200)
                .mapToObj(key -> "%d, STRING_TO_VECTOR('[%s,%s]')".formatted(key, random.nextFloat(), random.nextFloat() * 1e20f))
                .toList();
        try (TestTable table = new TestTable(mysql::execute, "test.vectors", "(k int primary key, v vector(2))", rows)) {
            assertThat(computeActual(extended(), "SELECT array_join(transform(v, x -> to_hex(reverse(to_ieee754_32(x)))), '') FROM %s ORDER BY k".formatted(table.getName()))
                    .getMaterializedRows().stream().map(Object::toString).toList())
                    .isEqualTo(textOfMysql("SELECT HEX(v) FROM %s ORDER BY k".formatted(table.getName())));
        }
    }

    private List<String> textOfMysql(String sql)
            throws SQLException
    {
        List<String> rows = new ArrayList<>();
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    row.add(result.getString(column));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    // The same filter evaluated by MySQL and by Trino.
    @Test
    void testFilters()
    {
        try (TestTable table = new TestTable(
                mysql::execute,
                "test.filtered",
                "(k int primary key, y year, b bit(8), c bit(63), d bit(64), s set('a','b'), key(y), key(b), key(c), key(d))",
                List.of("1, 1970, 5, 9223372036854775807, 18446744073709551615, 'a'", "2, 2000, 255, 1, 1, 'a,b'", "3, 0, 0, 0, 0, ''", "4, NULL, NULL, NULL, NULL, NULL", "5, 2070, 128, 128, 9223372036854775808, 'b'"))) {
            for (String value : Draw.some(4, "0", "70", "99", "1900", "1970", "2000", "2155", "-1", "5000")) {
                assertSameFilter(table.getName(), "y", value);
            }
            for (String value : Draw.some(3, "-1", "0", "5", "128", "255", "256", "9223372036854775807")) {
                assertSameFilter(table.getName(), "b", value);
                assertSameFilter(table.getName(), "c", value);
            }
            for (String value : Draw.some(3, "-1", "0", "1", "9223372036854775808", "18446744073709551615", "18446744073709551616")) {
                assertSameFilter(table.getName(), "d", "DECIMAL '%s'".formatted(value));
            }
            assertQuery(extended(), "SELECT k FROM %s WHERE s = ARRAY['a', 'b']".formatted(table.getName()), "VALUES 2");
            assertQuery(extended(), "SELECT k FROM %s WHERE contains(s, 'b')".formatted(table.getName()), "VALUES 2, 5");
            assertQuery(extended(), "SELECT k FROM %s WHERE s IS NULL".formatted(table.getName()), "VALUES 4");
            assertQuery(extended(), "SELECT k FROM %s WHERE cardinality(s) = 0".formatted(table.getName()), "VALUES 3");
            // As numbers: 3 is the greatest; as arrays [b] is.
            assertQuery(extended(), "SELECT k FROM %s ORDER BY s DESC NULLS LAST LIMIT 1".formatted(table.getName()), "VALUES 5");
            assertQuery(extended(), "SELECT k FROM %s ORDER BY d DESC NULLS LAST LIMIT 2".formatted(table.getName()), "VALUES 1, 5");
            assertQuery(extended(), "SELECT k FROM %s ORDER BY y NULLS LAST LIMIT 2".formatted(table.getName()), "VALUES 3, 1");
        }
    }

    private void assertSameFilter(String table, String column, String value)
    {
        List<String> conditions = List.of(
                "%s = %s", "%s <> %s", "%s < %s", "%s <= %s", "%s > %s", "%s >= %s", "%s IN (%s, 2000)", "%s NOT IN (%s, 2000)", "%s = %s OR %1$s IS NULL").stream()
                .map(condition -> condition.formatted(column, value))
                .toList();
        assertThat(keys(table, conditions, "%s")).as(column + value).isEqualTo(keys(table, conditions, "(%s) = (rand() < 2)"));
    }

    private List<String> keys(String table, List<String> conditions, String form)
    {
        String sql = conditions.stream()
                .map(condition -> "SELECT '%s: ' || CAST(k AS varchar) FROM %s WHERE %s".formatted(condition.replace("'", ""), table, form.formatted(condition)))
                .collect(joining(" UNION ALL "));
        return computeActual(extended(), sql).getOnlyColumn().map(Object::toString).sorted().toList();
    }

    @Test
    void testWrittenValuesThatMysqlHasNot()
    {
        try (TestTable table = new TestTable(
                mysql::execute,
                "test.refused",
                "(s set('a','b'), y year, b bit(8), c bit(63), g geometry, f geometry srid 4326)")) {
            assertRefused(table, "y", "70", "YEAR can hold 0 and 1901 to 2155, not 70");
            assertRefused(table, "y", "2156", "not 2156");
            assertRefused(table, "y", "-1", "not -1");
            assertRefused(table, "b", "BIGINT '256'", "Data too long for column 'b'");
            assertRefused(table, "b", "BIGINT '-1'", "Data too long for column 'b'");
            assertRefused(table, "c", "BIGINT '-1'", "Data too long for column 'c'");
            assertRefused(table, "s", "ARRAY['x']", "Data truncated for column 's'");
            assertRefused(table, "s", "ARRAY['a,b']", "cannot contain a comma: 'a,b'");
            assertRefused(table, "s", "ARRAY['a', NULL]", "cannot contain NULL");
            assertRefused(table, "g", "X'00'", "Invalid GIS data");
            assertRefused(table, "f", POINT, "SRID");
            assertThat(computeScalar("SELECT count(*) FROM " + table.getName())).isEqualTo(0L);
        }
    }

    @Test
    @NeedsMysql97
    void testWrittenVectorsThatMysqlHasNot()
    {
        try (TestTable table = new TestTable(mysql::execute, "test.refused", "(v vector(2))")) {
            assertRefused(table, "v", "ARRAY[REAL '1', NULL]", "entry 2 is NULL");
            assertRefused(table, "v", "ARRAY[REAL '1', REAL '2', REAL '3']", "Data too long for column 'v'");
            assertRefused(table, "v", "ARRAY[CAST(nan() AS real)]", "NAN or INF");
            assertThat(computeScalar("SELECT count(*) FROM " + table.getName())).isEqualTo(0L);
        }
    }

    private void assertRefused(TestTable table, String column, String value, String message)
    {
        assertQueryFails(extended(), "INSERT INTO %s (%s) VALUES (%s)".formatted(table.getName(), column, value), "(?s).*\\Q%s\\E.*".formatted(message));
    }

    @Test
    void testOffByDefault()
    {
        try (TestTable table = new TestTable(mysql::execute, "test.stock", "(s set('a','b'), y year, b bit(8), g geometry)")) {
            String types = "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema || '.' || table_name = '%s'".formatted(table.getName());
            assertQuery(types, "VALUES ('s', 'char(3)'), ('y', 'date'), ('g', 'varbinary')");
            assertQuery(extended(), types, "VALUES ('s', 'array(varchar)'), ('y', 'integer'), ('b', 'bigint'), ('g', 'varbinary')");
        }
    }

    @Test
    @NeedsMysql97
    void testVectorsOffByDefault()
    {
        try (TestTable table = new TestTable(mysql::execute, "test.stock", "(v vector(2))")) {
            String types = "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema || '.' || table_name = '%s'".formatted(table.getName());
            assertQuery(types, "VALUES ('v', 'varbinary')");
            assertQuery(extended(), types, "VALUES ('v', 'array(real)')");
        }
    }

    @Test
    void testTypesOfAQuery()
    {
        try (TestTable table = new TestTable(mysql::execute, "test.queried", "(s set('a','b'), y year, b bit(8), g point)", List.of("'a,b', 1999, 200, ST_GeomFromText('POINT(1 2)')"))) {
            // MySQL names no other type of a SET in a query.
            assertThat(query(extended(), "SELECT s, y, b, g FROM TABLE(system.query('SELECT s, y, b, g FROM %s'))".formatted(table.getName())))
                    .matches("VALUES (CAST('a,b' AS char(3)), 1999, BIGINT '200', %s)".formatted(POINT));
        }
    }

    @Test
    @NeedsMysql97
    void testVectorOfAQuery()
    {
        try (TestTable table = new TestTable(mysql::execute, "test.queried", "(v vector(2))", List.of("STRING_TO_VECTOR('[1,2]')"))) {
            assertThat(query(extended(), "SELECT v FROM TABLE(system.query('SELECT v FROM %s'))".formatted(table.getName())))
                    .matches("VALUES ARRAY[REAL '1', REAL '2']");
        }
    }

    private Session extended()
    {
        return withProperties(ImmutableMap.of("extended_types", "true"));
    }
}
