package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.JdbcTypeHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Types;
import java.util.Optional;

import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;

/** Finds the type of a column by its name and its JDBC type, also where these do not agree. */
class TestMysqlTypes
{
    @Test
    void testNames()
    {
        for (MysqlType type : MysqlTypes.ALL) {
            for (String name : type.names()) {
                assertThat(type(Types.OTHER, name)).as(name).isEqualTo(type);
                assertThat(type(Types.OTHER, name.toLowerCase(ENGLISH) + " unsigned")).as(name).isEqualTo(type);
                type.jdbcTypes().forEach(jdbcType -> assertThat(type(jdbcType, name)).as("%s %s", name, jdbcType).isEqualTo(type));
            }
        }
    }

    /** A type that has JDBC types of its own is not another one's. A type that has none, such as YEAR, may come as any. */
    @Test
    void testJdbcTypesOfOthers()
    {
        for (MysqlType named : MysqlTypes.ALL) {
            for (String name : named.names()) {
                for (MysqlType other : MysqlTypes.ALL) {
                    other.jdbcTypes().forEach(jdbcType -> assertThat(type(jdbcType, name)).as("%s %s", name, jdbcType).isEqualTo(named.jdbcTypes().isEmpty() ? named : other));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
            "12, DECIMAL, text", // VARCHAR, as which a merged aggregation reads exact sums
            "91, YEAR, year", // DATE
            "8, HYPERLOGLOG, double", // DOUBLE of a name that nobody knows
            "1111, HYPERLOGLOG, unknown", // OTHER
            "1111, '', unknown",
            "-5, BIGINTEGER, integer"}) // BIGINT: a name is known as a whole or not at all
    void testExamples(int jdbcType, String name, String protocolName)
    {
        assertThat(type(jdbcType, name).protocolName()).isEqualTo(protocolName);
    }

    @Test
    void testTypeWithoutName()
    {
        assertThat(MysqlTypes.of(new JdbcTypeHandle(Types.DATE, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty())).protocolName()).isEqualTo("date");
    }

    private static MysqlType type(int jdbcType, String name)
    {
        return MysqlTypes.of(new JdbcTypeHandle(jdbcType, Optional.of(name), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
    }
}
