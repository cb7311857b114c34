package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.testing.datatype.SqlDataTypeTest;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static io.trino.type.JsonType.JSON;
import static org.assertj.core.api.Assertions.assertThat;

class TestTextTypeMapping
        extends BaseTypeMappingTest
{
    private static final String SUPPLEMENTARY = "😀𝄞";

    @Test
    void testTextOfMysql()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("tinytext", "'a'", createVarcharType(255), "CAST('a' AS varchar(255))")
                .addRoundTrip("text", "'b'", createVarcharType(65535), "CAST('b' AS varchar(65535))")
                .addRoundTrip("mediumtext", "'c'", createVarcharType(16777215), "CAST('c' AS varchar(16777215))")
                .addRoundTrip("longtext", "'d'", VARCHAR, "VARCHAR 'd'")
                .addRoundTrip("varchar(20)", "''", createVarcharType(20), "CAST('' AS varchar(20))")
                .addRoundTrip("varchar(20)", "' x  '", createVarcharType(20), "CAST(' x  ' AS varchar(20))")
                .addRoundTrip("varchar(16000)", "'it''s \\\\ \\n'", createVarcharType(16000), "CAST(U&'it''s \\005c \\000a' AS varchar(16000))")
                .addRoundTrip("varchar(2)", "'%s'".formatted(SUPPLEMENTARY), createVarcharType(2), "CAST('%s' AS varchar(2))".formatted(SUPPLEMENTARY))
                .addRoundTrip("varchar(3) CHARACTER SET latin1", "'äß€'", createVarcharType(3), "CAST('äß€' AS varchar(3))")
                .addRoundTrip("varchar(0)", "''", createVarcharType(0), "CAST('' AS varchar(0))")
                .addRoundTrip("nvarchar(5)", "'é'", createVarcharType(5), "CAST('é' AS varchar(5))")
                .addRoundTrip("char", "'a'", createCharType(1), "CAST('a' AS char(1))")
                .addRoundTrip("char(8)", "'abc'", createCharType(8), "CAST('abc' AS char(8))")
                .addRoundTrip("char(8)", "''", createCharType(8), "CAST('' AS char(8))")
                .addRoundTrip("char(2)", "'%s'".formatted(SUPPLEMENTARY), createCharType(2), "CAST('%s' AS char(2))".formatted(SUPPLEMENTARY))
                .addRoundTrip("char(255)", "'%s'".formatted("z".repeat(255)), createCharType(255), "CAST('%s' AS char(255))".formatted("z".repeat(255)))
                .addRoundTrip("enum('a','bcd','%s')".formatted(SUPPLEMENTARY), "'bcd'", createVarcharType(3), "CAST('bcd' AS varchar(3))")
                .addRoundTrip("enum('a','%s')".formatted(SUPPLEMENTARY), "2", createVarcharType(2), "CAST('%s' AS varchar(2))".formatted(SUPPLEMENTARY))
                // As Connector/J reports it; its length is that of all members.
                .addRoundTrip("set('a','b')", "'b,a'", createCharType(3), "CAST('a,b' AS char(3))")
                .addRoundTrip("varchar(5)", "NULL", createVarcharType(5), "CAST(NULL AS varchar(5))")
                .addRoundTrip("char(5)", "NULL", createCharType(5), "CAST(NULL AS char(5))")
                .addRoundTrip("enum('a')", "NULL", createVarcharType(1), "CAST(NULL AS varchar(1))")
                .execute(getQueryRunner(), mysqlTable());
    }

    @Test
    void testTextOfMysqlFilledByTrino()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("varchar(20)", "CAST(' x  ' AS varchar(20))", createVarcharType(20), "CAST(' x  ' AS varchar(20))")
                .addRoundTrip("varchar(20)", "CAST(U&'it''s \\005c \\000a \\0000' AS varchar(20))", createVarcharType(20), "CAST(U&'it''s \\005c \\000a \\0000' AS varchar(20))")
                .addRoundTrip("text", "CAST('%s' AS varchar(65535))".formatted(SUPPLEMENTARY), createVarcharType(65535), "CAST('%s' AS varchar(65535))".formatted(SUPPLEMENTARY))
                .addRoundTrip("char(8)", "CAST('abc' AS char(8))", createCharType(8), "CAST('abc' AS char(8))")
                .addRoundTrip("enum('a','bcd')", "CAST('bcd' AS varchar(3))", createVarcharType(3), "CAST('bcd' AS varchar(3))")
                .addRoundTrip("set('a','b')", "CAST('a,b' AS char(3))", createCharType(3), "CAST('a,b' AS char(3))")
                .execute(getQueryRunner(), mysqlTableFilledByTrino(getSession()));
    }

    @Test
    void testTextOfTrino()
    {
        SqlDataTypeTest test = SqlDataTypeTest.create()
                .addRoundTrip("varchar(10)", "'a'", createVarcharType(255), "CAST('a' AS varchar(255))")
                .addRoundTrip("varchar(255)", "''", createVarcharType(255), "CAST('' AS varchar(255))")
                .addRoundTrip("varchar(256)", "'b'", createVarcharType(65535), "CAST('b' AS varchar(65535))")
                .addRoundTrip("varchar(65535)", "'c'", createVarcharType(65535), "CAST('c' AS varchar(65535))")
                .addRoundTrip("varchar(65536)", "'d'", createVarcharType(16777215), "CAST('d' AS varchar(16777215))")
                .addRoundTrip("varchar(16777216)", "'e'", VARCHAR, "VARCHAR 'e'")
                .addRoundTrip("varchar", "'%s'".formatted(SUPPLEMENTARY), VARCHAR, "VARCHAR '%s'".formatted(SUPPLEMENTARY))
                .addRoundTrip("varchar", "NULL", VARCHAR, "CAST(NULL AS varchar)")
                .addRoundTrip("char(1)", "'a'", createCharType(1), "CAST('a' AS char(1))")
                .addRoundTrip("char(255)", "'%s'".formatted(SUPPLEMENTARY), createCharType(255), "CAST('%s' AS char(255))".formatted(SUPPLEMENTARY))
                .addRoundTrip("char(3)", "''", createCharType(3), "CAST('' AS char(3))");
        test.execute(getQueryRunner(), trinoTable(getSession()));
        test.execute(getQueryRunner(), tableOfQuery(getSession()));
    }

    @Test
    void testBinaryOfMysql()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("binary(3)", "x'01'", VARBINARY, "X'010000'")
                .addRoundTrip("varbinary(5)", "x'00ff275c'", VARBINARY, "X'00ff275c'")
                .addRoundTrip("varbinary(5)", "''", VARBINARY, "X''")
                .addRoundTrip("tinyblob", "x'80'", VARBINARY, "X'80'")
                .addRoundTrip("blob", "x'00'", VARBINARY, "X'00'")
                .addRoundTrip("mediumblob", "'%s'".formatted(SUPPLEMENTARY), VARBINARY, "to_utf8('%s')".formatted(SUPPLEMENTARY))
                .addRoundTrip("longblob", "x''", VARBINARY, "X''")
                .addRoundTrip("blob", "NULL", VARBINARY, "CAST(NULL AS varbinary)")
                .execute(getQueryRunner(), mysqlTable());
    }

    @Test
    void testBinaryOfTrino()
    {
        SqlDataTypeTest test = SqlDataTypeTest.create()
                .addRoundTrip("varbinary", "X''", VARBINARY, "X''")
                .addRoundTrip("varbinary", "X'000a0d1a22275c80ff'", VARBINARY, "X'000a0d1a22275c80ff'")
                .addRoundTrip("varbinary", "NULL", VARBINARY, "CAST(NULL AS varbinary)");
        test.execute(getQueryRunner(), trinoTable(getSession()));
        test.execute(getQueryRunner(), tableOfQuery(getSession()));
    }

    @Test
    void testJson()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("json", "'{\"b\": [1, null, \"%s\"], \"a\": {}}'".formatted(SUPPLEMENTARY), JSON, "JSON '{\"a\":{},\"b\":[1,null,\"%s\"]}'".formatted(SUPPLEMENTARY))
                .addRoundTrip("json", "'null'", JSON, "JSON 'null'")
                .addRoundTrip("json", "'12.5'", JSON, "JSON '12.5'")
                .addRoundTrip("json", "NULL", JSON, "CAST(NULL AS json)")
                .execute(getQueryRunner(), mysqlTable());
        SqlDataTypeTest test = SqlDataTypeTest.create()
                .addRoundTrip("json", "JSON '{\"a\":[\"it''s\",\"\\\\\",1.5]}'", JSON, "JSON '{\"a\":[\"it''s\",\"\\\\\",1.5]}'")
                .addRoundTrip("json", "JSON '\"\"'", JSON, "JSON '\"\"'")
                .addRoundTrip("json", "NULL", JSON, "CAST(NULL AS json)");
        test.execute(getQueryRunner(), trinoTable(getSession()));
        test.execute(getQueryRunner(), tableOfQuery(getSession()));
    }

    /** MySQL keeps them; a DOUBLE between there and here would not. */
    @Test
    void testDigitsOfJson()
    {
        String integers = "[9007199254740993,18446744073709551615,-9223372036854775808]";
        String decimal = "1234567890123456789.012345678901234567";
        SqlDataTypeTest.create()
                .addRoundTrip("json", "'%s'".formatted(integers), JSON, "JSON '%s'".formatted(integers))
                .addRoundTrip("json", "CAST(CAST('%s' AS DECIMAL(40, 18)) AS JSON)".formatted(decimal), JSON, "JSON '%s'".formatted(decimal))
                .execute(getQueryRunner(), mysqlTable());
        SqlDataTypeTest.create()
                .addRoundTrip("json", "JSON '%s'".formatted(integers), JSON, "JSON '%s'".formatted(integers))
                .execute(getQueryRunner(), trinoTable(getSession()));
        // Both sides of the comparison above are Trino's.
        assertQuery("SELECT v FROM TABLE(system.query('SELECT CAST(CAST(CAST(''%1$s'' AS DECIMAL(40, 18)) AS JSON) AS CHAR) AS v'))".formatted(decimal), "VALUES '%s'".formatted(decimal));
        assertThat(computeScalar("SELECT json_format(v) FROM TABLE(system.query('SELECT CAST(CAST(''%1$s'' AS DECIMAL(40, 18)) AS JSON) AS v'))".formatted(decimal))).isEqualTo(decimal);
    }

    @Test
    void testTypesMappedToVarchar()
    {
        createCatalog(getQueryRunner(), "as_text", ImmutableMap.of("jdbc-types-mapped-to-varchar", "date,year"));
        try (TestTable table = new TestTable(mysql::execute, "test.as_text", "(d date, t time)", List.of("'2024-02-29', '01:02:03'"))) {
            Session session = Session.builder(getSession()).setCatalog("as_text").build();
            assertQuery(session, "SELECT d, typeof(d), typeof(t) FROM " + table.getName(), "VALUES ('2024-02-29', 'varchar', 'time(0)')");
            assertQuery("SELECT typeof(d) FROM " + table.getName(), "VALUES 'date'");
        }
    }

    @Test
    void testUnsupportedTypes()
    {
        try (TestTable table = new TestTable(mysql::execute, "test.unsupported", "(k int, v bit(8))", List.of("1, b'01000001'"))) {
            assertQuery("SELECT * FROM " + table.getName(), "VALUES 1");
            assertUpdate("INSERT INTO %s (k) VALUES 2".formatted(table.getName()), 1);
            assertQuery(withProperties(ImmutableMap.of("unsupported_type_handling", "CONVERT_TO_VARCHAR")), "SELECT k, v FROM " + table.getName(), "VALUES (1, '65'), (2, NULL)");
        }
        for (String type : List.of("array(integer)", "row(a integer)", "map(integer, integer)", "time(3) with time zone", "uuid", "ipaddress", "interval day to second")) {
            assertQueryFails("CREATE TABLE unsupported (v %s)".formatted(type), ".*Unsupported column type: %s.*".formatted(type.replaceFirst("\\(.*", "")));
        }
    }
}
