// Days since 1970-01-01 in the proleptic Gregorian calendar, which has a year 0.

#ifndef MYSQL_PQ_PURE_CALENDAR_H
#define MYSQL_PQ_PURE_CALENDAR_H

#include <algorithm>
#include <array>
#include <cstdint>

namespace pq::calendar {

// Functions take days and years that are not farther away than this; some 27,000 years.
constexpr std::int64_t most_days = 10'000'000;

struct Date {
  std::int64_t year;
  std::int32_t month;  // from 1 on
  std::int32_t day;    // from 1 on
};

constexpr bool is_leap(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr std::int32_t days_of_month(std::int64_t year, std::int32_t month) {
  constexpr std::array<std::int8_t, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : days[static_cast<std::size_t>(month - 1)];
}

// Years are counted from March on here, so that a leap day is the last of its year. Four centuries
// have 146,097 days; the year 0 began, in March, 719,468 days before 1970.
constexpr std::int64_t days_of_era = 146'097;
constexpr std::int64_t era_of_1970 = 719'468;

constexpr Date date_of(std::int64_t days) {
  const std::int64_t since_0 = days + era_of_1970;
  const std::int64_t era = (since_0 >= 0 ? since_0 : since_0 - (days_of_era - 1)) / days_of_era;
  const auto day_of_era = static_cast<std::uint32_t>(since_0 - era * days_of_era);
  const std::uint32_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::uint32_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::uint32_t month_from_march = (5 * day_of_year + 2) / 153;
  const auto day = static_cast<std::int32_t>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  const auto month = static_cast<std::int32_t>(month_from_march < 10 ? month_from_march + 3
                                                                     : month_from_march - 9);
  return {static_cast<std::int64_t>(year_of_era) + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

constexpr std::int64_t days_of(const Date &date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month_from_march = date.month > 2 ? date.month - 3 : date.month + 9;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * days_of_era + day_of_era - era_of_1970;
}

constexpr std::int64_t day_of_year(std::int64_t days) {
  return days - days_of({date_of(days).year, 1, 1}) + 1;
}

// A day beyond the end of its month becomes the last one.
constexpr std::int64_t add_months(std::int64_t days, std::int64_t months) {
  const Date date = date_of(days);
  const std::int64_t all = date.year * 12 + (date.month - 1) + months;
  const std::int64_t year = (all >= 0 ? all : all - 11) / 12;
  const auto month = static_cast<std::int32_t>(all - year * 12 + 1);
  return days_of({year, month, std::min(date.day, days_of_month(year, month))});
}

}  // namespace pq::calendar

#endif
