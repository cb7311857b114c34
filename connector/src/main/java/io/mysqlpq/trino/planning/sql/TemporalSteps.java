package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.DateKeyValue;
import io.mysqlpq.trino.key.DatetimeKeyValue;
import io.mysqlpq.trino.key.TimeKeyValue;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.base.Strings.padEnd;
import static com.google.common.base.Verify.verify;
import static java.lang.Math.abs;
import static java.lang.Math.clamp;
import static java.lang.Math.floorDiv;
import static java.lang.Math.floorMod;

/** Makes up dates and times between two others. A date without month or day counts as the first that it could be. */
final class TemporalSteps
{
    private static final long MICROS = 1_000_000;
    private static final int DATE_LENGTH = 10;
    private static final int DATETIME_LENGTH = 19;
    private static final int MICRO_DIGITS = 6;
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ENGLISH);
    private static final Pattern TIME = Pattern.compile("(-?)(\\d+):(\\d\\d):(\\d\\d)(?:\\.(\\d+))?");

    private TemporalSteps()
    {}

    static Stream<DateKeyValue> dates(DateKeyValue from, DateKeyValue to, int count)
    {
        return Steps.between(day(from.date()).toEpochDay(), day(to.date()).toEpochDay(), count).stream()
                .map(step -> new DateKeyValue(LocalDate.ofEpochDay(step).toString()));
    }

    static Stream<DatetimeKeyValue> dateTimes(DatetimeKeyValue from, DatetimeKeyValue to, int count)
    {
        int length = from.dateTime().length();
        return Steps.between(micros(from.dateTime()), micros(to.dateTime()), count).stream()
                .map(step -> new DatetimeKeyValue(dateTime(step) + fraction(floorMod(step, MICROS), length - DATETIME_LENGTH)));
    }

    static Stream<TimeKeyValue> times(TimeKeyValue from, TimeKeyValue to, int count)
    {
        int point = from.time().indexOf('.');
        int length = point < 0 ? 0 : from.time().length() - point;
        return Steps.between(timeMicros(from.time()), timeMicros(to.time()), count).stream()
                .map(step -> new TimeKeyValue(time(step) + fraction(abs(step) % MICROS, length)));
    }

    private static LocalDate day(String date)
    {
        int year = Integer.parseInt(date.substring(0, 4));
        int month = clamp(Integer.parseInt(date.substring(5, 7)), 1, 12);
        int day = clamp(Integer.parseInt(date.substring(8, DATE_LENGTH)), 1, YearMonth.of(year, month).lengthOfMonth());
        return LocalDate.of(year, month, day);
    }

    private static long micros(String dateTime)
    {
        long second = day(dateTime).toEpochSecond(LocalTime.parse(dateTime.substring(DATE_LENGTH + 1, DATETIME_LENGTH)), ZoneOffset.UTC);
        return second * MICROS + (dateTime.length() > DATETIME_LENGTH ? fractionMicros(dateTime.substring(DATETIME_LENGTH + 1)) : 0);
    }

    private static String dateTime(long micros)
    {
        return SECONDS.format(LocalDateTime.ofEpochSecond(floorDiv(micros, MICROS), 0, ZoneOffset.UTC));
    }

    private static long timeMicros(String time)
    {
        Matcher parts = TIME.matcher(time);
        verify(parts.matches(), "not a time");
        long seconds = (Long.parseLong(parts.group(2)) * 60 + Long.parseLong(parts.group(3))) * 60 + Long.parseLong(parts.group(4));
        long micros = seconds * MICROS + (parts.group(5) == null ? 0 : fractionMicros(parts.group(5)));
        return parts.group(1).isEmpty() ? micros : -micros;
    }

    private static String time(long micros)
    {
        long seconds = abs(micros) / MICROS;
        return "%s%02d:%02d:%02d".formatted(micros < 0 ? "-" : "", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    private static long fractionMicros(String digits)
    {
        return Long.parseLong(padEnd(digits, MICRO_DIGITS, '0'));
    }

    // With its point, as long as the column's other values have it.
    private static String fraction(long micros, int length)
    {
        return length == 0 ? "" : ("." + String.valueOf(MICROS + micros).substring(1)).substring(0, length);
    }
}
