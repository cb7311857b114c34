package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.spi.type.Type;
import io.trino.testing.datatype.SqlDataTypeTest;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.NumberType.NUMBER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

class TestNumericTypeMapping
        extends BaseTypeMappingTest
{
    private static final String WIDE = "1234567890123456789012345678901234567890.1234567891";

    private record Numbers(String mysqlType, Type trinoType, List<String> digits)
    {
        static Numbers of(String mysqlType, Type trinoType, String... digits)
        {
            return new Numbers(mysqlType, trinoType, List.of(digits));
        }
    }

    private static final List<Numbers> INTEGERS = List.of(
            Numbers.of("bool", TINYINT, "0", "1"),
            Numbers.of("tinyint", TINYINT, "-128", "0", "127"),
            Numbers.of("tinyint(1)", TINYINT, "-128", "2", "127"),
            Numbers.of("tinyint unsigned", SMALLINT, "0", "255"),
            Numbers.of("smallint", SMALLINT, "-32768", "32767"),
            Numbers.of("smallint unsigned", INTEGER, "0", "65535"),
            Numbers.of("mediumint", INTEGER, "-8388608", "8388607"),
            Numbers.of("mediumint unsigned", INTEGER, "0", "16777215"),
            Numbers.of("int", INTEGER, "-2147483648", "2147483647"),
            Numbers.of("int unsigned", BIGINT, "0", "4294967295"),
            Numbers.of("int(5) unsigned zerofill", BIGINT, "0", "42"),
            Numbers.of("bigint", BIGINT, "-9223372036854775808", "9223372036854775807"),
            Numbers.of("bigint unsigned", createDecimalType(20), "0", "9223372036854775808", "18446744073709551615"));

    private static final List<Numbers> DECIMALS = List.of(
            Numbers.of("decimal(1,0)", createDecimalType(1), "-9", "0", "9"),
            Numbers.of("decimal(5,2)", createDecimalType(5, 2), "-999.99", "0.00", "0.01", "999.99"),
            Numbers.of("decimal(5,2) unsigned", createDecimalType(5, 2), "0.00", "999.99"),
            Numbers.of("decimal(18,18)", createDecimalType(18, 18), "-0.999999999999999999", "0.000000000000000001"),
            Numbers.of("decimal(18,0)", createDecimalType(18), "-999999999999999999", "999999999999999999"),
            Numbers.of("decimal(19,0)", createDecimalType(19), "-9999999999999999999", "9999999999999999999"),
            Numbers.of("decimal(30,30)", createDecimalType(30, 30), "-0.999999999999999999999999999999", "0.000000000000000000000000000001"),
            Numbers.of("decimal(38,0)", createDecimalType(38), "-99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
            Numbers.of("decimal(38,10)", createDecimalType(38, 10), "-9999999999999999999999999999.9999999999", "0.0000000001"));

    @Test
    void testTablesOfMysql()
    {
        for (List<Numbers> family : List.of(INTEGERS, DECIMALS)) {
            SqlDataTypeTest read = SqlDataTypeTest.create();
            SqlDataTypeTest written = SqlDataTypeTest.create();
            for (Numbers numbers : family) {
                for (String digits : numbers.digits()) {
                    read.addRoundTrip(numbers.mysqlType(), digits, numbers.trinoType(), literal(numbers.trinoType(), digits));
                    written.addRoundTrip(numbers.mysqlType(), literal(numbers.trinoType(), digits), numbers.trinoType(), literal(numbers.trinoType(), digits));
                }
                String nothing = "CAST(NULL AS %s)".formatted(numbers.trinoType().getDisplayName());
                read.addRoundTrip(numbers.mysqlType(), "NULL", numbers.trinoType(), nothing);
                written.addRoundTrip(numbers.mysqlType(), "NULL", numbers.trinoType(), nothing);
            }
            read.execute(getQueryRunner(), mysqlTable());
            written.execute(getQueryRunner(), mysqlTableFilledByTrino(getSession()));
        }
    }

    @Test
    void testTablesOfTrino()
    {
        SqlDataTypeTest test = SqlDataTypeTest.create();
        for (Numbers numbers : INTEGERS) {
            if (!numbers.mysqlType().contains("unsigned") && !numbers.mysqlType().startsWith("mediumint")) {
                numbers.digits().forEach(digits -> addTrinoRoundTrip(test, numbers.trinoType(), literal(numbers.trinoType(), digits)));
            }
        }
        for (Numbers numbers : DECIMALS) {
            numbers.digits().forEach(digits -> addTrinoRoundTrip(test, numbers.trinoType(), literal(numbers.trinoType(), digits)));
        }
        for (String value : List.of("1.5", "-3.14159", "0.0", "3.40282E38", "1.17549E-38")) {
            addTrinoRoundTrip(test, REAL, "REAL '%s'".formatted(value));
        }
        for (String value : List.of("1.7976931348623157E308", "-1.7976931348623157E308", "2.2250738585072014E-308", "0.1", "0.0")) {
            addTrinoRoundTrip(test, DOUBLE, "DOUBLE '%s'".formatted(value));
        }
        test.execute(getQueryRunner(), trinoTable(getSession()));
        test.execute(getQueryRunner(), tableOfQuery(getSession()));
    }

    // MySQL's BOOLEAN is a TINYINT.
    @Test
    void testBooleanOfTrino()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("boolean", "true", TINYINT, "TINYINT '1'")
                .addRoundTrip("boolean", "false", TINYINT, "TINYINT '0'")
                .addRoundTrip("boolean", "NULL", TINYINT, "CAST(NULL AS tinyint)")
                .execute(getQueryRunner(), tableOfQuery(getSession()));
    }

    private static void addTrinoRoundTrip(SqlDataTypeTest test, Type type, String literal)
    {
        test.addRoundTrip(type.getDisplayName(), literal, type, literal);
    }

    @Test
    void testFloatingPointOfMysql()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("float", "3.14159", REAL, "REAL '3.14159'")
                .addRoundTrip("float unsigned", "1.5", REAL, "REAL '1.5'")
                .addRoundTrip("float(10,2)", "10.25", REAL, "REAL '10.25'")
                .addRoundTrip("real", "1e-300", DOUBLE, "DOUBLE '1E-300'")
                .addRoundTrip("double", "1.7976931348623157E308", DOUBLE, "DOUBLE '1.7976931348623157E308'")
                .addRoundTrip("double", "2.2250738585072014E-308", DOUBLE, "DOUBLE '2.2250738585072014E-308'")
                .addRoundTrip("double unsigned", "0.1", DOUBLE, "DOUBLE '0.1'")
                .addRoundTrip("double", "NULL", DOUBLE, "CAST(NULL AS double)")
                .execute(getQueryRunner(), mysqlTable());
    }

    @Test
    void testOneBit()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("bit", "b'1'", BOOLEAN, "true")
                .addRoundTrip("bit(1)", "b'0'", BOOLEAN, "false")
                .addRoundTrip("bit(1)", "NULL", BOOLEAN, "CAST(NULL AS boolean)")
                .execute(getQueryRunner(), mysqlTable());
        SqlDataTypeTest.create()
                .addRoundTrip("bit(1)", "true", BOOLEAN, "true")
                .addRoundTrip("bit(1)", "false", BOOLEAN, "false")
                .execute(getQueryRunner(), mysqlTableFilledByTrino(getSession()));
    }

    @Test
    void testWideDecimalIsNumber()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("decimal(65,10)", WIDE, NUMBER, "NUMBER '%s'".formatted(WIDE))
                .addRoundTrip("decimal(65,10)", "-" + WIDE, NUMBER, "NUMBER '-%s'".formatted(WIDE))
                .addRoundTrip("decimal(39,0)", "999999999999999999999999999999999999999", NUMBER, "NUMBER '999999999999999999999999999999999999999'")
                .addRoundTrip("decimal(65,30)", "0.000000000000000000000000000001", NUMBER, "NUMBER '0.000000000000000000000000000001'")
                .addRoundTrip("decimal(65,30)", "NULL", NUMBER, "CAST(NULL AS number)")
                .execute(getQueryRunner(), mysqlTable());
        SqlDataTypeTest.create()
                .addRoundTrip("decimal(65,10)", "NUMBER '%s'".formatted(WIDE), NUMBER, "NUMBER '%s'".formatted(WIDE))
                .execute(getQueryRunner(), mysqlTableFilledByTrino(getSession()));
    }

    @Test
    void testWideDecimalWithOverflowAllowed()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("decimal(60,20)", "123456789012345678901234567890.123456785", createDecimalType(38, 8), "DECIMAL '123456789012345678901234567890.12345679'")
                .addRoundTrip("decimal(60,3)", "1.125", createDecimalType(38, 3), "CAST(1.125 AS decimal(38, 3))")
                .execute(getQueryRunner(), overflowing("HALF_UP", 8), mysqlTable());
        try (TestTable table = new TestTable(mysql::execute, "test.wide", "(v decimal(65,10))", List.of(WIDE))) {
            assertQueryFails(overflowing("UNNECESSARY", 8), "SELECT v FROM " + table.getName(), "Column v of table test\\.wide\\w* holds %s, which does not fit into decimal\\(38,8\\): Rounding necessary\\. Set decimal_mapping to MAP_TO_NUMBER, or allow rounding with decimal_rounding_mode.*".formatted(WIDE.replace(".", "\\.")));
            assertQueryFails(overflowing("HALF_UP", 8), "SELECT v FROM " + table.getName(), "Column v of table test\\.wide\\w* holds .*, which does not fit into decimal\\(38,8\\): Decimal overflow.*");
        }
    }

    private Session overflowing(String roundingMode, int scale)
    {
        return withProperties(ImmutableMap.of(
                "decimal_mapping", "ALLOW_OVERFLOW",
                "decimal_rounding_mode", roundingMode,
                "decimal_default_scale", Integer.toString(scale)));
    }

    @Test
    void testWideDecimalUnderStrictMapping()
    {
        try (TestTable table = new TestTable(mysql::execute, "test.strict", "(k int, v decimal(65,10))", List.of("1, " + WIDE))) {
            assertQuery(withProperties(ImmutableMap.of("decimal_mapping", "STRICT")), "SELECT * FROM " + table.getName(), "VALUES 1");
        }
        SqlDataTypeTest.create()
                .addRoundTrip("decimal(65,10)", WIDE, VARCHAR, "VARCHAR '%s'".formatted(WIDE))
                .execute(getQueryRunner(), withProperties(ImmutableMap.of("decimal_mapping", "STRICT", "unsupported_type_handling", "CONVERT_TO_VARCHAR")), mysqlTable());
    }

    private static String literal(Type type, String digits)
    {
        return type.getBaseName().equals("decimal")
                ? "CAST('%s' AS %s)".formatted(digits, type.getDisplayName())
                : "%s '%s'".formatted(type.getDisplayName(), digits);
    }
}
