#include <array>
#include <chrono>
#include <cstdio>

#include "pure/codecs.h"

namespace pq::codecs {

namespace {

// Written as stored: month and day may be 0, and the day past the end of its month, where the
// server's sql_mode let them in.
struct Date {
  std::uint64_t year;
  std::uint64_t month;
  std::uint64_t day;
};

struct Time_of_day {
  std::uint64_t hour;
  std::uint64_t minute;
  std::uint64_t second;
};

// Takes a text apart from its beginning.
class Scanner final {
 public:
  explicit Scanner(std::string_view text) : m_rest(text) {}

  // Reads as many digits as are asked for.
  std::uint64_t digits(std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      m_failed = m_failed || m_rest.empty() || m_rest.front() < '0' || m_rest.front() > '9';
      if (m_failed) return 0;
      value = value * 10 + static_cast<std::uint64_t>(m_rest.front() - '0');
      m_rest.remove_prefix(1);
    }
    return value;
  }

  void expect(char c) {
    if (!take(c)) m_failed = true;
  }

  bool take(char c) {
    if (!m_rest.starts_with(c)) return false;
    m_rest.remove_prefix(1);
    return true;
  }

  [[nodiscard]] std::size_t position_of(char c) const { return m_rest.find(c); }
  [[nodiscard]] bool is_at_end() const { return !m_failed && m_rest.empty(); }

 private:
  std::string_view m_rest;
  bool m_failed = false;
};

template <class... Numbers>
std::string format(const char *pattern, Numbers... numbers) {
  std::array<char, 64> text;
  const int length =
      std::snprintf(text.data(), text.size(), pattern, static_cast<unsigned long>(numbers)...);
  return {text.data(), static_cast<std::size_t>(length)};
}

// A fraction of n digits takes (n + 1) / 2 bytes, each of which counts two decimal digits.
std::size_t fraction_bytes(const Key_column &column) { return (column.scale + 1U) / 2; }

std::uint64_t fraction_units(const Key_column &column) {
  std::uint64_t units = 1;
  for (std::size_t i = 0; i < fraction_bytes(column); ++i) units *= 100;
  return units;
}

// Units for one step of the last digit that the column has.
std::uint64_t fraction_step(const Key_column &column) { return column.scale % 2 == 0 ? 1 : 10; }

bool is_fraction(const Key_column &column, std::uint64_t fraction) {
  return fraction < fraction_units(column) && fraction % fraction_step(column) == 0;
}

std::string write_fraction(const Key_column &column, std::uint64_t fraction) {
  if (column.scale == 0) return {};
  const std::string digits = std::to_string(fraction / fraction_step(column));
  return "." + std::string(column.scale - digits.size(), '0') + digits;
}

std::uint64_t scan_fraction(const Key_column &column, Scanner &scanner) {
  if (column.scale == 0) return 0;
  scanner.expect('.');
  return scanner.digits(column.scale) * fraction_step(column);
}

bool is_date(const Date &date) { return date.year <= 9999 && date.month <= 12 && date.day <= 31; }

bool is_time_of_day(const Time_of_day &time) {
  return time.hour <= 23 && time.minute <= 59 && time.second <= 59;
}

Date scan_date(Scanner &scanner) {
  Date date{};
  date.year = scanner.digits(4);
  scanner.expect('-');
  date.month = scanner.digits(2);
  scanner.expect('-');
  date.day = scanner.digits(2);
  return date;
}

Time_of_day scan_time(Scanner &scanner, std::size_t hour_digits) {
  Time_of_day time{};
  time.hour = scanner.digits(hour_digits);
  scanner.expect(':');
  time.minute = scanner.digits(2);
  scanner.expect(':');
  time.second = scanner.digits(2);
  return time;
}

std::string write_date(const Date &date) {
  return format("%04lu-%02lu-%02lu", date.year, date.month, date.day);
}

std::string write_time(const Time_of_day &time) {
  return format("%02lu:%02lu:%02lu", time.hour, time.minute, time.second);
}

Time_of_day unpack_time(std::uint64_t packed) {
  return {packed >> 12, packed >> 6 & 63, packed & 63};
}

std::uint64_t pack_time(const Time_of_day &time) {
  return time.hour << 12 | time.minute << 6 | time.second;
}

// Both halves of a key that is stored as one number: the whole seconds and their fraction.
struct Packed {
  std::uint64_t whole;
  std::uint64_t fraction;
};

Packed split(const Key_column &column, std::uint64_t value) {
  const std::size_t bits = 8 * fraction_bytes(column);
  return {value >> bits, value & ((std::uint64_t{1} << bits) - 1)};
}

std::uint64_t join(const Key_column &column, const Packed &packed) {
  return packed.whole << 8 * fraction_bytes(column) | packed.fraction;
}

std::uint64_t sign_bit(std::size_t bytes) { return std::uint64_t{1} << (8 * bytes - 1); }

std::string rule(const Key_column &column, const char *pattern) {
  return std::string(pattern) + (column.scale == 0 ? "" : ".") + std::string(column.scale, 'f');
}

constexpr std::size_t date_bytes = 3;
constexpr std::size_t time_bytes = 3;
constexpr std::size_t datetime_bytes = 5;
constexpr std::size_t timestamp_bytes = 4;
constexpr std::uint64_t last_hour = 838;
constexpr std::uint64_t last_timestamp = INT32_MAX;

// The date of a TIMESTAMP that stands for none: stored as second 0, which is no TIMESTAMP's own.
constexpr Date zero_date{};

Date date_of(std::uint64_t timestamp) {
  const std::chrono::sys_seconds instant{std::chrono::seconds(timestamp)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(instant)};
  return {static_cast<std::uint64_t>(static_cast<int>(day.year())),
          static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day())};
}

std::string write_timestamp(const Key_column &column, const Packed &packed) {
  const std::uint64_t second = packed.whole % 86400;
  const Time_of_day time{second / 3600, second / 60 % 60, second % 60};
  return write_date(packed.whole == 0 ? zero_date : date_of(packed.whole)) + " " +
         write_time(time) + write_fraction(column, packed.fraction);
}

// Whole seconds since 1970; 0 for what no TIMESTAMP holds.
std::uint64_t timestamp_of(const Date &date, const Time_of_day &time) {
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(date.year)),
                                        std::chrono::month(static_cast<unsigned>(date.month)),
                                        std::chrono::day(static_cast<unsigned>(date.day))};
  if (!day.ok()) return 0;
  const auto seconds = std::chrono::sys_seconds(std::chrono::sys_days(day)).time_since_epoch() +
                       std::chrono::hours(time.hour) + std::chrono::minutes(time.minute) +
                       std::chrono::seconds(time.second);
  return seconds.count() < 0 ? 0 : static_cast<std::uint64_t>(seconds.count());
}

}  // namespace

Result<std::string> decode_date(const Key_column &column, std::string_view stored) {
  if (stored.size() != date_bytes) return bad_bytes(column, stored);
  const std::uint64_t flipped = load_big_endian(stored);
  if (flipped < sign_bit(date_bytes)) return bad_bytes(column, stored);
  const std::uint64_t packed = flipped - sign_bit(date_bytes);
  const Date date{packed >> 9, packed >> 5 & 15, packed & 31};
  if (!is_date(date)) return bad_bytes(column, stored);
  return write_date(date);
}

Result<std::string> encode_date(const Key_column &column, std::string_view written) {
  Scanner scanner(written);
  const Date date = scan_date(scanner);
  if (!scanner.is_at_end() || !is_date(date)) return bad_value(column, written, "YYYY-MM-DD");
  return store_big_endian(sign_bit(date_bytes) + (date.year << 9 | date.month << 5 | date.day),
                          date_bytes);
}

Result<std::string> decode_time(const Key_column &column, std::string_view stored) {
  const std::size_t bytes = time_bytes + fraction_bytes(column);
  if (stored.size() != bytes) return bad_bytes(column, stored);
  const std::uint64_t flipped = load_big_endian(stored);
  const bool negative = flipped < sign_bit(bytes);
  const Packed packed =
      split(column, negative ? sign_bit(bytes) - flipped : flipped - sign_bit(bytes));
  const Time_of_day time = unpack_time(packed.whole);
  if (time.hour > last_hour || time.minute > 59 || time.second > 59 ||
      !is_fraction(column, packed.fraction)) {
    return bad_bytes(column, stored);
  }
  return (negative ? "-" : "") + write_time(time) + write_fraction(column, packed.fraction);
}

Result<std::string> encode_time(const Key_column &column, std::string_view written) {
  Scanner scanner(written);
  const bool negative = scanner.take('-');
  const Time_of_day time = scan_time(scanner, scanner.position_of(':') == 3 ? 3 : 2);
  const Packed packed{pack_time(time), scan_fraction(column, scanner)};
  const std::uint64_t magnitude = join(column, packed);
  const std::size_t bytes = time_bytes + fraction_bytes(column);
  if (!scanner.is_at_end() || time.hour > last_hour || time.minute > 59 || time.second > 59) {
    return bad_value(column, written, rule(column, "up to 838:59:59, as [-]hh:mm:ss"));
  }
  return store_big_endian(negative ? sign_bit(bytes) - magnitude : sign_bit(bytes) + magnitude,
                          bytes);
}

Result<std::string> decode_datetime(const Key_column &column, std::string_view stored) {
  const std::size_t bytes = datetime_bytes + fraction_bytes(column);
  if (stored.size() != bytes) return bad_bytes(column, stored);
  const std::uint64_t flipped = load_big_endian(stored);
  if (flipped < sign_bit(bytes)) return bad_bytes(column, stored);
  const Packed packed = split(column, flipped - sign_bit(bytes));
  const std::uint64_t day = packed.whole >> 17;
  // Months count from 0 to 12, since 0 is one too.
  const Date date{(day >> 5) / 13, (day >> 5) % 13, day & 31};
  const Time_of_day time = unpack_time(packed.whole & 0x1FFFF);
  if (!is_date(date) || !is_time_of_day(time) || !is_fraction(column, packed.fraction)) {
    return bad_bytes(column, stored);
  }
  return write_date(date) + " " + write_time(time) + write_fraction(column, packed.fraction);
}

Result<std::string> encode_datetime(const Key_column &column, std::string_view written) {
  Scanner scanner(written);
  const Date date = scan_date(scanner);
  scanner.expect(' ');
  const Time_of_day time = scan_time(scanner, 2);
  const std::uint64_t fraction = scan_fraction(column, scanner);
  if (!scanner.is_at_end() || !is_date(date) || !is_time_of_day(time)) {
    return bad_value(column, written, rule(column, "YYYY-MM-DD hh:mm:ss"));
  }
  const std::uint64_t day = (date.year * 13 + date.month) << 5 | date.day;
  const std::size_t bytes = datetime_bytes + fraction_bytes(column);
  return store_big_endian(sign_bit(bytes) + join(column, {day << 17 | pack_time(time), fraction}),
                          bytes);
}

Result<std::string> decode_timestamp(const Key_column &column, std::string_view stored) {
  if (stored.size() != timestamp_bytes + fraction_bytes(column)) return bad_bytes(column, stored);
  const Packed packed = split(column, load_big_endian(stored));
  if (packed.whole > last_timestamp || !is_fraction(column, packed.fraction)) {
    return bad_bytes(column, stored);
  }
  return write_timestamp(column, packed);
}

Result<std::string> encode_timestamp(const Key_column &column, std::string_view written) {
  Scanner scanner(written);
  const Date date = scan_date(scanner);
  scanner.expect(' ');
  const Time_of_day time = scan_time(scanner, 2);
  const Packed packed{timestamp_of(date, time), scan_fraction(column, scanner)};
  // Writing it back shows whether these are its own digits, which those of the zero date are not.
  if (!scanner.is_at_end() || packed.whole > last_timestamp ||
      write_timestamp(column, packed) != written) {
    return bad_value(
        column, written,
        rule(column, "the zero date and UTC from 1970 to 2038 as YYYY-MM-DD hh:mm:ss"));
  }
  return store_big_endian(join(column, packed), timestamp_bytes + fraction_bytes(column));
}

}  // namespace pq::codecs
