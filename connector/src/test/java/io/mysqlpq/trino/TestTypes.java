package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        trino = new TestingTrino(mysql, ImmutableMap.of());
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    // MySQL's type | MySQL literal | Trino's type | Trino literal
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "bit(1)| b'1'| boolean| true",
            "boolean| 1| tinyint| TINYINT '1'",
            "tinyint| -128| tinyint| TINYINT '-128'",
            "tinyint unsigned| 255| smallint| SMALLINT '255'",
            "smallint| 0| smallint| SMALLINT '0'",
            "smallint unsigned| 65535| integer| 65535",
            "mediumint| -8388608| integer| -8388608",
            "mediumint unsigned| 16777215| integer| 16777215",
            "int| -2147483648| integer| -2147483648",
            "int unsigned| 4294967295| bigint| 4294967295",
            "bigint| -9223372036854775808| bigint| BIGINT '-9223372036854775808'",
            "bigint unsigned| 18446744073709551615| decimal(20,0)| DECIMAL '18446744073709551615'",
            "double| 1.7976931348623157E308| double| 1.7976931348623157E308",
            "decimal(5,2)| -123.45| decimal(5,2)| DECIMAL '-123.45'",
            "decimal(38,5)| 123456789012345678901234567890123.45678| decimal(38,5)| DECIMAL '123456789012345678901234567890123.45678'",
            "char(5)| 'ab'| char(5)| CHAR 'ab   '",
            "varchar(5)| 'ab '| varchar(5)| VARCHAR 'ab '",
            "varchar(5) character set latin1| 'é'| varchar(5)| VARCHAR 'é'",
            "varchar(10)| '😀''\\\\'| varchar(10)| VARCHAR '😀''\\'",
            "varchar(5)| ''| varchar(5)| VARCHAR ''",
            "tinytext| 'x'| varchar(255)| VARCHAR 'x'",
            "text| 'x'| varchar(65535)| VARCHAR 'x'",
            "mediumtext| 'x'| varchar(16777215)| VARCHAR 'x'",
            "longtext| 'x'| varchar| VARCHAR 'x'",
            "enum('a','b')| 'b'| varchar(1)| VARCHAR 'b'",
            "varbinary(5)| x'00ff27'| varbinary| X'00ff27'",
            "binary(3)| x'01'| varbinary| X'010000'",
            "blob| x''| varbinary| X''",
            "date| '1582-10-10'| date| DATE '1582-10-10'",
            "date| '9999-12-31'| date| DATE '9999-12-31'",
            "time| '23:59:59'| time(0)| TIME '23:59:59'",
            "time(6)| '00:00:00.000001'| time(6)| TIME '00:00:00.000001'",
            "datetime| '2018-10-28 01:33:17'| timestamp(0)| TIMESTAMP '2018-10-28 01:33:17'",
            "datetime(6)| '1000-01-01 00:00:00.000001'| timestamp(6)| TIMESTAMP '1000-01-01 00:00:00.000001'",
            "timestamp(3)| '2018-10-28 01:33:17.456+00:00'| timestamp(3) with time zone| TIMESTAMP '2018-10-28 01:33:17.456 UTC'",
            "timestamp(6)| '2038-01-19 03:14:07.499999+00:00'| timestamp(6) with time zone| TIMESTAMP '2038-01-19 03:14:07.499999 UTC'",
    })
    void testType(String mysqlType, String mysqlLiteral, String trinoType, String trinoLiteral)
    {
        String table = create(mysqlType, mysqlLiteral);
        assertThat(trino.execute("SELECT typeof(v) FROM %s WHERE k = 1".formatted(table)).getOnlyValue()).isEqualTo(trinoType);
        assertThat(trino.execute("SELECT k FROM %s WHERE v = %s".formatted(table, trinoLiteral)).getOnlyValue()).isEqualTo(1);
        assertThat(trino.execute("SELECT k FROM %s WHERE v IS NULL".formatted(table)).getOnlyValue()).isEqualTo(2);
        // Not pushed down, so Trino compares what the decoder made.
        assertThat(trino.execute("SELECT k FROM %s WHERE (v = %s) = (rand() < 2)".formatted(table, trinoLiteral)).getOnlyValue()).isEqualTo(1);
        // As many rows again, values and NULLs, through INSERT.
        trino.execute("INSERT INTO %s SELECT k + 2, v FROM %1$s".formatted(table));
        assertThat(trino.execute("SELECT count(*), count(v) FROM %s WHERE v = %s OR v IS NULL".formatted(table, trinoLiteral)).getMaterializedRows().getFirst().getFields())
                .containsExactly(4L, 2L);
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
    void testTextComparisonsStayWithTrino()
    {
        mysql.execute(
                "CREATE TABLE test.texts (k INT PRIMARY KEY, v VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, b VARCHAR(10) COLLATE utf8mb4_bin)",
                "INSERT INTO test.texts SELECT k, v, v FROM (SELECT 1 k, 'a' v UNION SELECT 2, 'A' UNION SELECT 3, 'a ' UNION SELECT 4, 'ä' UNION SELECT 5, 'B' UNION SELECT 6, 'b' UNION SELECT 7, '' UNION SELECT 8, NULL) x");
        for (String column : new String[] {"v", "b"}) {
            assertKeys(column + " = 'a'", 1);
            assertKeys(column + " <> 'a'", 2, 3, 4, 5, 6, 7);
            assertKeys(column + " IN ('a', 'B')", 1, 5);
            assertKeys(column + " NOT IN ('a', 'B')", 2, 3, 4, 6, 7);
            // Code point order: '' < 'A' < 'B' < 'a' < 'a ' < 'b' < 'ä'
            assertKeys(column + " > 'a'", 3, 4, 6);
            assertKeys(column + " < 'a'", 2, 5, 7);
            assertKeys(column + " BETWEEN 'A' AND 'a'", 1, 2, 5);
            assertKeys(column + " = 'a' OR " + column + " IS NULL", 1, 8);
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

    private void assertKeys(String condition, Integer... keys)
    {
        assertThat(trino.execute("SELECT k FROM texts WHERE " + condition).getOnlyColumnAsSet()).containsExactlyInAnyOrder((Object[]) keys);
    }

    private String create(String mysqlType, String mysqlLiteral)
    {
        String table = "type" + ++tables;
        mysql.execute(
                "CREATE TABLE test.%s (k INT PRIMARY KEY, v %s NULL)".formatted(table, mysqlType),
                "INSERT INTO test.%s VALUES (1, %s), (2, NULL)".formatted(table, mysqlLiteral));
        return table;
    }
}
