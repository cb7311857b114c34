package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.spi.type.TimeZoneKey;
import io.trino.testing.datatype.SqlDataTypeTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;

import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.TimeType.createTimeType;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;

/** Takes dates and times through every combination of time zones: of the JVM, of Trino's session and of the server. */
class TestTemporalTypeMapping
        extends BaseTypeMappingTest
{
    // With days, and hours, that some of the zones below skip or repeat.
    private static final List<String> DATES = List.of(
            "0001-01-01", "1000-01-01", "1582-10-04", "1582-10-10", "1582-10-15", "1952-04-03", "1969-12-31", "1970-01-01",
            "1983-04-01", "1983-10-01", "2011-12-30", "2017-07-01", "2021-03-14", "2024-02-29", "9999-12-31");
    private static final List<String> LOCAL_TIMES = List.of(
            "1000-01-01 00:00:00", "1958-01-01 13:18:03", "1969-12-31 23:59:59", "1970-01-01 00:00:00", "1970-01-01 00:13:42", "2000-02-29 12:00:00",
            "2018-03-25 03:17:17", "2018-04-01 02:13:55", "2018-10-28 01:33:17", "2018-10-28 03:33:33", "2021-03-14 02:30:00", "2021-11-07 01:30:00", "9999-12-31 23:59:59");
    private static final List<String> INSTANTS = List.of(
            "1970-01-01 00:00:01", "1986-01-01 00:13:07", "2018-03-25 01:17:17", "2018-10-28 00:33:17", "2018-10-28 01:33:17", "2021-03-14 07:30:00",
            "2021-11-07 05:30:00", "2021-11-07 06:30:00", "2038-01-19 03:14:07");

    private final Set<ZoneId> zonesOfMysql = new HashSet<>();

    // The JVM's zone, in which MySQL's sessions write | that of Trino's session | the server's
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "America/New_York | UTC | SYSTEM",
            "America/New_York | America/New_York | -08:00",
            "Europe/Vilnius | Asia/Kathmandu | +05:30",
            "Asia/Kathmandu | Europe/Vilnius | +13:00",
            "Pacific/Apia | America/Bahia_Banderas | +00:00",
            "UTC | Europe/Vilnius | -08:00",
            "+05:30 | UTC | SYSTEM"})
    void testZones(String jvmZone, String sessionZone, String serverZone)
    {
        TimeZone before = TimeZone.getDefault();
        String catalog = "zone_%s_%s".formatted(jvmZone, sessionZone).toLowerCase(ENGLISH).replaceAll("\\W", "_");
        ZoneId zone = ZoneId.of(jvmZone);
        if (!(zone.normalized() instanceof ZoneOffset) && zonesOfMysql.add(zone)) {
            TimeZoneTables.load(mysql, zone);
        }
        mysql.execute("SET GLOBAL time_zone = '%s'".formatted(serverZone));
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
            createCatalog(getQueryRunner(), catalog, ImmutableMap.of());
            Session session = Session.builder(getSession()).setCatalog(catalog).setTimeZoneKey(TimeZoneKey.getTimeZoneKey(sessionZone)).build();
            assertThat(computeScalar(session, "SELECT z FROM TABLE(system.query('SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW()) AS z'))"))
                    .isEqualTo((long) zone.getRules().getOffset(Instant.now()).getTotalSeconds());
            testTablesOfMysql(session);
            testTablesOfTrino(session);
        }
        finally {
            TimeZone.setDefault(before);
            mysql.execute("SET GLOBAL time_zone = 'SYSTEM'");
        }
    }

    private void testTablesOfMysql(Session session)
    {
        SqlDataTypeTest read = SqlDataTypeTest.create();
        SqlDataTypeTest written = SqlDataTypeTest.create();
        for (String date : DATES) {
            read.addRoundTrip("date", "'%s'".formatted(date), DATE, "DATE '%s'".formatted(date));
            written.addRoundTrip("date", "DATE '%s'".formatted(date), DATE, "DATE '%s'".formatted(date));
        }
        for (String time : LOCAL_TIMES) {
            for (int digits : List.of(0, 3, 6)) {
                String value = time + fraction(digits);
                read.addRoundTrip("datetime(%d)".formatted(digits), "'%s'".formatted(value), createTimestampType(digits), "TIMESTAMP '%s'".formatted(value));
                written.addRoundTrip("datetime(%d)".formatted(digits), "TIMESTAMP '%s'".formatted(value), createTimestampType(digits), "TIMESTAMP '%s'".formatted(value));
            }
        }
        for (String instant : INSTANTS) {
            for (int digits : List.of(0, 3, 6)) {
                String value = instant + fraction(digits);
                String literal = "TIMESTAMP '%s UTC'".formatted(value);
                read.addRoundTrip("timestamp(%d)".formatted(digits), "'%s+00:00'".formatted(value), createTimestampWithTimeZoneType(digits), literal);
                written.addRoundTrip("timestamp(%d)".formatted(digits), literal, createTimestampWithTimeZoneType(digits), literal);
            }
        }
        read.execute(getQueryRunner(), session, mysqlTable());
        written.execute(getQueryRunner(), session, mysqlTableFilledByTrino(session));
    }

    private void testTablesOfTrino(Session session)
    {
        SqlDataTypeTest test = SqlDataTypeTest.create();
        DATES.forEach(date -> test.addRoundTrip("date", "DATE '%s'".formatted(date), DATE, "DATE '%s'".formatted(date)));
        for (String time : LOCAL_TIMES) {
            for (int digits : List.of(0, 2, 6)) {
                String literal = "TIMESTAMP '%s%s'".formatted(time, fraction(digits));
                test.addRoundTrip("timestamp(%d)".formatted(digits), literal, createTimestampType(digits), literal);
            }
        }
        for (String instant : INSTANTS) {
            for (int digits : List.of(0, 2, 6)) {
                String literal = "TIMESTAMP '%s%s UTC'".formatted(instant, fraction(digits));
                test.addRoundTrip("timestamp(%d) with time zone".formatted(digits), literal, createTimestampWithTimeZoneType(digits), literal);
            }
        }
        test.execute(getQueryRunner(), session, trinoTable(session));
        test.execute(getQueryRunner(), session, tableOfQuery(session));
    }

    private static String fraction(int digits)
    {
        return digits == 0 ? "" : "." + "499999".substring(0, digits);
    }

    @Test
    void testTime()
    {
        SqlDataTypeTest read = SqlDataTypeTest.create().addRoundTrip("time", "NULL", createTimeType(0), "CAST(NULL AS time(0))");
        SqlDataTypeTest written = SqlDataTypeTest.create();
        SqlDataTypeTest created = SqlDataTypeTest.create();
        for (String time : List.of("00:00:00", "02:30:00", "12:34:56", "23:59:59")) {
            for (int digits = 0; digits <= 6; digits++) {
                String literal = "TIME '%s%s'".formatted(time, fraction(digits));
                read.addRoundTrip("time(%d)".formatted(digits), "'%s%s'".formatted(time, fraction(digits)), createTimeType(digits), literal);
                written.addRoundTrip("time(%d)".formatted(digits), literal, createTimeType(digits), literal);
                created.addRoundTrip("time(%d)".formatted(digits), literal, createTimeType(digits), literal);
            }
        }
        read.execute(getQueryRunner(), mysqlTable());
        written.execute(getQueryRunner(), mysqlTableFilledByTrino(getSession()));
        created.execute(getQueryRunner(), trinoTable(getSession()));
        created.execute(getQueryRunner(), tableOfQuery(getSession()));
    }

    // MySQL has at most 6 digits.
    @Test
    void testFinerThanMysql()
    {
        SqlDataTypeTest test = SqlDataTypeTest.create()
                .addRoundTrip("time(7)", "TIME '00:00:00.0000004'", createTimeType(6), "TIME '00:00:00.000000'")
                .addRoundTrip("time(12)", "TIME '00:00:00.000000500000'", createTimeType(6), "TIME '00:00:00.000001'")
                .addRoundTrip("time(9)", "TIME '23:59:59.999999500'", createTimeType(6), "TIME '00:00:00.000000'")
                .addRoundTrip("timestamp(7)", "TIMESTAMP '1969-12-31 23:59:59.9999994'", createTimestampType(6), "TIMESTAMP '1969-12-31 23:59:59.999999'")
                .addRoundTrip("timestamp(12)", "TIMESTAMP '1969-12-31 23:59:59.999999500000'", createTimestampType(6), "TIMESTAMP '1970-01-01 00:00:00.000000'")
                .addRoundTrip("timestamp(7) with time zone", "TIMESTAMP '2020-12-31 23:59:59.9999994 UTC'", createTimestampWithTimeZoneType(6), "TIMESTAMP '2020-12-31 23:59:59.999999 UTC'")
                .addRoundTrip("timestamp(9) with time zone", "TIMESTAMP '2020-12-31 23:59:59.999999500 UTC'", createTimestampWithTimeZoneType(6), "TIMESTAMP '2021-01-01 00:00:00.000000 UTC'");
        test.execute(getQueryRunner(), trinoTable(getSession()));
        test.execute(getQueryRunner(), tableOfQuery(getSession()));
    }

    @Test
    void testNulls()
    {
        SqlDataTypeTest.create()
                .addRoundTrip("date", "NULL", DATE, "CAST(NULL AS date)")
                .addRoundTrip("datetime(6)", "NULL", createTimestampType(6), "CAST(NULL AS timestamp(6))")
                .addRoundTrip("timestamp(3) NULL", "NULL", createTimestampWithTimeZoneType(3), "CAST(NULL AS timestamp(3) with time zone)")
                .addRoundTrip("timestamp(6) NULL", "NULL", createTimestampWithTimeZoneType(6), "CAST(NULL AS timestamp(6) with time zone)")
                // The stock connector reads the year's first day, too.
                .addRoundTrip("year", "2155", DATE, "DATE '2155-01-01'")
                .addRoundTrip("year", "1901", DATE, "DATE '1901-01-01'")
                .addRoundTrip("year", "NULL", DATE, "CAST(NULL AS date)")
                .execute(getQueryRunner(), mysqlTable());
    }
}
