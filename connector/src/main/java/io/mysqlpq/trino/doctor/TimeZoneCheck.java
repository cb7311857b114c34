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
                ? Finding.ok(name(), "time zone tables are loaded")
                : Finding.warning(
                        name(),
                        "MySQL has no time zone tables: system.query, system.execute and writes run in UTC, not in the time zone of Trino's JVM",
                        server.whereWritten("mysql_tzinfo_to_sql /usr/share/zoneinfo | mysql -u root -p mysql, then restart Trino")));
    }
}
