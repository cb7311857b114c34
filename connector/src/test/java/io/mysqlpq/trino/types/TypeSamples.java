package io.mysqlpq.trino.types;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.testing.TestedServer;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Has values of each MySQL type, for all tests that try each of them. */
public final class TypeSamples
{
    // MySQL's type | a literal of it | Trino's type | Trino's literal.
    // Trino's type is missing where Trino does not see the column, and its literal where Trino's equality does not find the value.
    private static final String TABLE = """
            BIT(1) | b'1' | boolean | true
            BIT(8) | 2 | |
            BOOLEAN | 1 | tinyint | TINYINT '1'
            TINYINT | 1 | tinyint | TINYINT '1'
            TINYINT | -128 | tinyint | TINYINT '-128'
            TINYINT UNSIGNED | 1 | smallint | SMALLINT '1'
            TINYINT UNSIGNED | 255 | smallint | SMALLINT '255'
            SMALLINT | 0 | smallint | SMALLINT '0'
            SMALLINT | 300 | smallint | SMALLINT '300'
            SMALLINT UNSIGNED | 65535 | integer | 65535
            MEDIUMINT | -8388608 | integer | -8388608
            MEDIUMINT UNSIGNED | 16777215 | integer | 16777215
            INT | 2020 | integer | 2020
            INT | -70000 | integer | -70000
            INT | -2147483648 | integer | -2147483648
            INT UNSIGNED | 4294967295 | bigint | 4294967295
            BIGINT | 1 | bigint | BIGINT '1'
            BIGINT | 9223372036854775807 | bigint | BIGINT '9223372036854775807'
            BIGINT | -9223372036854775808 | bigint | BIGINT '-9223372036854775808'
            BIGINT UNSIGNED | 1 | decimal(20,0) | DECIMAL '1'
            BIGINT UNSIGNED | 18446744073709551615 | decimal(20,0) | DECIMAL '18446744073709551615'
            DECIMAL(5, 0) | 99999 | decimal(5,0) | DECIMAL '99999'
            DECIMAL(5, 2) | -123.45 | decimal(5,2) | DECIMAL '-123.45'
            DECIMAL(10, 2) | 1.75 | decimal(10,2) | DECIMAL '1.75'
            DECIMAL(10, 2) | 1.00 | decimal(10,2) | DECIMAL '1.00'
            DECIMAL(10, 2) | 12345678.90 | decimal(10,2) | DECIMAL '12345678.90'
            DECIMAL(12, 4) | 1.7525 | decimal(12,4) | DECIMAL '1.7525'
            DECIMAL(12, 4) | 1.0000 | decimal(12,4) | DECIMAL '1.0000'
            DECIMAL(20, 2) UNSIGNED | 123456789012345678.25 | decimal(20,2) | DECIMAL '123456789012345678.25'
            DECIMAL(38, 0) | 12345678901234567890123456789012345678 | decimal(38,0) | DECIMAL '12345678901234567890123456789012345678'
            DECIMAL(38, 5) | 123456789012345678901234567890123.45678 | decimal(38,5) | DECIMAL '123456789012345678901234567890123.45678'
            FLOAT | 1.75 | real | REAL '1.75'
            FLOAT | 1 | real | REAL '1'
            DOUBLE | 1.75 | double | DOUBLE '1.75'
            DOUBLE | 1 | double | DOUBLE '1'
            DOUBLE | 1e300 | double | DOUBLE '1e300'
            DOUBLE | 1.7976931348623157E308 | double | DOUBLE '1.7976931348623157E308'
            DATE | '1582-10-10' | date | DATE '1582-10-10'
            DATE | '2020-02-29' | date | DATE '2020-02-29'
            DATE | '9999-12-31' | date | DATE '9999-12-31'
            YEAR | 2020 | date | DATE '2020-01-01'
            TIME | '12:30:00' | time(0) | TIME '12:30:00'
            TIME | '23:59:59' | time(0) | TIME '23:59:59'
            TIME(3) | '12:30:00.750' | time(3) | TIME '12:30:00.750'
            TIME(6) | '00:00:00.000001' | time(6) | TIME '00:00:00.000001'
            DATETIME | '2020-02-29 12:30:00' | timestamp(0) | TIMESTAMP '2020-02-29 12:30:00'
            DATETIME | '2018-10-28 01:33:17' | timestamp(0) | TIMESTAMP '2018-10-28 01:33:17'
            DATETIME(6) | '2020-02-29 12:30:00.123456' | timestamp(6) | TIMESTAMP '2020-02-29 12:30:00.123456'
            DATETIME(6) | '1000-01-01 00:00:00.000001' | timestamp(6) | TIMESTAMP '1000-01-01 00:00:00.000001'
            TIMESTAMP | '2020-02-29 12:30:00+00:00' | timestamp(0) with time zone | TIMESTAMP '2020-02-29 12:30:00 UTC'
            TIMESTAMP(3) | '2018-10-28 01:33:17.456+00:00' | timestamp(3) with time zone | TIMESTAMP '2018-10-28 01:33:17.456 UTC'
            TIMESTAMP(3) | '2020-02-29 12:30:00.500+00:00' | timestamp(3) with time zone | TIMESTAMP '2020-02-29 12:30:00.500 UTC'
            TIMESTAMP(6) | '2038-01-19 03:14:07.499999+00:00' | timestamp(6) with time zone | TIMESTAMP '2038-01-19 03:14:07.499999 UTC'
            CHAR(5) | '1.75' | char(5) | CHAR '1.75 '
            CHAR(5) | 'ab' | char(5) | CHAR 'ab   '
            VARCHAR(5) | '' | varchar(5) | VARCHAR ''
            VARCHAR(5) | '1' | varchar(5) | VARCHAR '1'
            VARCHAR(5) | '1.75' | varchar(5) | VARCHAR '1.75'
            VARCHAR(5) | 'x  ' | varchar(5) | VARCHAR 'x  '
            VARCHAR(20) | '1.75' | varchar(20) | VARCHAR '1.75'
            VARCHAR(20) | '2020-02-29 12:30:00' | varchar(20) | VARCHAR '2020-02-29 12:30:00'
            VARCHAR(20) | 'größer als fünf' | varchar(20) | VARCHAR 'größer als fünf'
            VARCHAR(20) | '😀''\\\\' | varchar(20) | VARCHAR '😀''\\'
            VARCHAR(20) CHARACTER SET latin1 | 'größer' | varchar(20) | VARCHAR 'größer'
            TINYTEXT | 'x' | varchar(255) | VARCHAR 'x'
            TEXT | '1.75' | varchar(65535) | VARCHAR '1.75'
            TEXT | '12:30:00.750' | varchar(65535) | VARCHAR '12:30:00.750'
            MEDIUMTEXT | 'x' | varchar(16777215) | VARCHAR 'x'
            LONGTEXT | 'x' | varchar | VARCHAR 'x'
            ENUM ('1', 'b') | 'b' | varchar(1) | VARCHAR 'b'
            ENUM ('1', 'b') | '1' | varchar(1) | VARCHAR '1'
            SET ('1', 'b') | '1,b' | char(3) | CHAR '1,b'
            BINARY(5) | X'01' | varbinary | X'0100000000'
            BINARY(5) | X'312E3735FF' | varbinary | X'312E3735FF'
            VARBINARY(20) | X'312E3735' | varbinary | X'312E3735'
            VARBINARY(20) | X'00FF27' | varbinary | X'00FF27'
            TINYBLOB | X'07' | varbinary | X'07'
            BLOB | X'' | varbinary | X''
            BLOB | X'FF' | varbinary | X'FF'
            BLOB | '1.75' | varbinary | X'312E3735'
            MEDIUMBLOB | X'08' | varbinary | X'08'
            LONGBLOB | X'09' | varbinary | X'09'
            JSON | '1.75' | json | JSON '1.75'
            JSON | '[1]' | json | JSON '[1]'
            POINT | POINT(1, 2) | varbinary |
            """;

    private static final String SINCE_9_7 = """
            VECTOR(2) | TO_VECTOR('[1,2]') | varbinary | X'0000803F00000040'
            """;

    private static final List<TypeSample> ALL = (TestedServer.isSince97() ? TABLE + SINCE_9_7 : TABLE).lines().map(TypeSamples::parse).collect(ImmutableList.toImmutableList());

    private TypeSamples()
    {}

    /**
     * A value of a type.
     *
     * @param trinoType empty if Trino does not see the column
     * @param trinoLiteral empty if Trino's equality does not find the value
     */
    public record TypeSample(String mysqlType, String mysqlLiteral, Optional<String> trinoType, Optional<String> trinoLiteral)
    {
        @Override
        public String toString()
        {
            return mysqlType + ": " + mysqlLiteral;
        }
    }

    public static List<TypeSample> all()
    {
        return ALL;
    }

    public static List<TypeSample> of(String mysqlType)
    {
        return ALL.stream().filter(sample -> sample.mysqlType().equals(mysqlType)).toList();
    }

    /** All types that a column of the tested server can have. */
    public static Set<MysqlType> typesOfColumns()
    {
        return MysqlTypes.ALL.stream()
                .filter(type -> !type.equals(MysqlTypes.NULL))
                .filter(type -> TestedServer.isSince97() || !(type instanceof MysqlVector))
                .collect(ImmutableSet.toImmutableSet());
    }

    private static TypeSample parse(String line)
    {
        List<String> cells = Splitter.on('|').trimResults().splitToList(line);
        return new TypeSample(cells.get(0), cells.get(1), filled(cells.get(2)), filled(cells.get(3)));
    }

    private static Optional<String> filled(String cell)
    {
        return Optional.of(cell).filter(text -> !text.isEmpty());
    }
}
