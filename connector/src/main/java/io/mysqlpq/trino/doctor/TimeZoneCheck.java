package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;

import java.sql.SQLException;
import java.util.List;

/** Checks that MySQL knows time zones by their names. */
final class TimeZoneCheck
        implements Check
{
    @Override
    public String name()
    {
        return "time zones";
    }

    @Override
    public List<Finding> examine(ExaminedServer server)
            throws SQLException
    {
        boolean isKnown = server.text("SELECT CONVERT_TZ('2026-01-01 00:00:00', 'UTC', 'Europe/Berlin')").isPresent();
        return ImmutableList.of(isKnown
                ? Finding.ok(name(), "names are known")
                : Finding.warning(
                        name(),
                        "no time zone has a name: SQL that is passed through, and writes, run in UTC instead of the zone of Trino's JVM",
                        "mysql_tzinfo_to_sql /usr/share/zoneinfo | mysql -u root mysql, then restart Trino"));
    }
}
