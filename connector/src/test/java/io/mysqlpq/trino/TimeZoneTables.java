package io.mysqlpq.trino;

import io.mysqlpq.testing.MysqlServer;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Loads MySQL's time-zone tables with a zone as Java knows it, as mysql_tzinfo_to_sql does with the files of the system. */
final class TimeZoneTables
{
    private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("2038-01-01T00:00:00Z");
    private static final AtomicInteger LAST_ID = new AtomicInteger(1000);

    private TimeZoneTables()
    {}

    static void load(MysqlServer mysql, ZoneId zone)
    {
        int id = LAST_ID.incrementAndGet();
        ZoneRules rules = zone.getRules();
        List<String> statements = new ArrayList<>(List.of(
                "INSERT INTO mysql.time_zone VALUES (%d, 'N')".formatted(id),
                "INSERT INTO mysql.time_zone_name VALUES ('%s', %d)".formatted(zone.getId(), id)));
        // MySQL allows a zone few of them: one for each offset, first the one that holds before all changes.
        List<Integer> types = new ArrayList<>();
        addType(id, rules, FIRST, types, statements);
        for (ZoneOffsetTransition next = rules.nextTransition(FIRST); next != null && next.getInstant().isBefore(LAST); next = rules.nextTransition(next.getInstant())) {
            addType(id, rules, next.getInstant(), types, statements);
            statements.add("INSERT INTO mysql.time_zone_transition VALUES (%d, %d, %d)".formatted(id, next.toEpochSecond(), types.indexOf(next.getOffsetAfter().getTotalSeconds())));
        }
        mysql.execute(statements.toArray(String[]::new));
    }

    private static void addType(int id, ZoneRules rules, Instant instant, List<Integer> types, List<String> statements)
    {
        int offset = rules.getOffset(instant).getTotalSeconds();
        if (types.contains(offset)) {
            return;
        }
        types.add(offset);
        statements.add("INSERT INTO mysql.time_zone_transition_type VALUES (%d, %d, %d, %d, '')".formatted(
                id,
                types.indexOf(offset),
                offset,
                rules.isDaylightSavings(instant) ? 1 : 0));
    }
}
