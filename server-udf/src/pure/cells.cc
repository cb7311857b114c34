#include "pure/cells.h"

#include <array>
#include <bit>
#include <climits>
#include <string_view>
#include <type_traits>

#include "pure/stored_numbers.h"

namespace pq {

namespace {

using Byte = unsigned char;

template <unsigned size>
std::uint64_t little_endian(const Byte *bytes) {
  return pq::little_endian(bytes, size);
}

template <unsigned size>
std::int64_t sign_extended(std::uint64_t value) {
  return static_cast<std::int64_t>(value << (64 - 8 * size)) >> (64 - 8 * size);
}

// One loop for each way of storing and each layout: what differs between columns is decided
// outside.
template <class Value, class Load>
void fill(const Cells &cells, std::uint32_t first_row, Column_buffer &column, Load load) {
  const auto [data, sizes, count, distance] = cells;
  char *to = column.place<Value>(first_row);
  for (std::uint32_t i = 0; i < count; ++i, to += sizeof(Value)) {
    const Byte *begin = data[i];
    if (begin == nullptr) {
      column.set_null(first_row + i);
      continue;
    }
    const auto value = static_cast<Value>(load(begin + distance));
    std::memcpy(to, &value, sizeof(Value));
  }
}

template <class Value, unsigned size, bool is_unsigned>
void fill_stored_integers(const Cell_type &, const Cells &cells, std::uint32_t first_row,
                          Column_buffer &column) {
  fill<Value>(cells, first_row, column, [](const Byte *cell) {
    const std::uint64_t value = big_endian<size>(cell);
    if constexpr (is_unsigned) {
      return value;
    } else {
      return sign_extended<size>(value ^ (std::uint64_t{1} << (8 * size - 1)));
    }
  });
}

// Row: bytes of the integer, 1 to 8. Column: layout int8 to int128.
template <unsigned size, bool is_unsigned>
Fill_column integers_of(Layout layout) {
  constexpr unsigned needed = is_unsigned ? size + 1 : size;
  switch (layout) {
    case Layout::int8:
      if constexpr (needed <= 1) return fill_stored_integers<std::int8_t, size, is_unsigned>;
      return nullptr;
    case Layout::int16:
      if constexpr (needed <= 2) return fill_stored_integers<std::int16_t, size, is_unsigned>;
      return nullptr;
    case Layout::int32:
      if constexpr (needed <= 4) return fill_stored_integers<std::int32_t, size, is_unsigned>;
      return nullptr;
    case Layout::int64:
      if constexpr (needed <= 8) return fill_stored_integers<std::int64_t, size, is_unsigned>;
      return nullptr;
    case Layout::int128:
      return fill_stored_integers<__int128, size, is_unsigned>;
    case Layout::bytes:
      return nullptr;
  }
  return nullptr;
}

template <bool is_unsigned>
Fill_column integer_decoder(unsigned size, Layout layout) {
  switch (size) {
    case 1:
      return integers_of<1, is_unsigned>(layout);
    case 2:
      return integers_of<2, is_unsigned>(layout);
    case 3:
      return integers_of<3, is_unsigned>(layout);
    case 4:
      return integers_of<4, is_unsigned>(layout);
    case 5:
      return integers_of<5, is_unsigned>(layout);
    case 6:
      return integers_of<6, is_unsigned>(layout);
    case 7:
      return integers_of<7, is_unsigned>(layout);
    case 8:
      return integers_of<8, is_unsigned>(layout);
    default:
      return nullptr;
  }
}

template <unsigned size>
void fill_bits(const Cell_type &, const Cells &cells, std::uint32_t first_row,
               Column_buffer &column) {
  using Value = std::conditional_t<size == 4, std::uint32_t, std::uint64_t>;
  fill<Value>(cells, first_row, column, little_endian<size>);
}

// The incomplete groups of digits stand outermost (strings/decimal.cc, decimal2bin).
struct Decimal_groups {
  unsigned first_bytes;  // of the digits before the first complete group
  unsigned complete;     // groups of 9 digits in 4 bytes
  unsigned last_bytes;   // of the digits after the last complete group
  std::uint32_t last_factor;

  explicit Decimal_groups(const Cell_type &type) {
    static constexpr std::array<std::uint32_t, 10> powers{
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    const unsigned whole = type.precision - type.scale;
    first_bytes = bytes_of_digits[whole % group_digits];
    complete = static_cast<unsigned>(whole / group_digits + type.scale / group_digits);
    last_bytes = bytes_of_digits[type.scale % group_digits];
    last_factor = powers[type.scale % group_digits];
  }
};

// The stored sign bit is 1 for positive numbers, and all bits of negative ones are inverted. Groups
// of a damaged page may have more digits than fit, so the sum is an unsigned one, which wraps.
template <class Value>
Value load_decimal(const Decimal_groups &groups, const Byte *cell) {
  const std::uint32_t inverted = (cell[0] & 0x80) != 0 ? 0 : UINT32_MAX;
  // The sign bit is in the first group.
  std::uint32_t flip = 0x80;
  const auto next = [&](unsigned size) {
    if (size == 0) return std::uint32_t{0};
    const auto stored = static_cast<std::uint32_t>(big_endian(cell, size));
    const std::uint32_t mask = size == 4 ? UINT32_MAX : (1U << 8 * size) - 1;
    const std::uint32_t group = ((stored ^ (flip << 8 * (size - 1))) ^ inverted) & mask;
    flip = 0;
    cell += size;
    return group;
  };
  std::make_unsigned_t<Value> value = next(groups.first_bytes);
  for (unsigned i = 0; i < groups.complete; ++i) value = value * 1'000'000'000 + next(4);
  if (groups.last_bytes > 0) value = value * groups.last_factor + next(groups.last_bytes);
  return static_cast<Value>(inverted == 0 ? value : -value);
}

template <class Value>
void fill_decimals(const Cell_type &type, const Cells &cells, std::uint32_t first_row,
                   Column_buffer &column) {
  const Decimal_groups groups(type);
  fill<Value>(cells, first_row, column,
              [&groups](const Byte *cell) { return load_decimal<Value>(groups, cell); });
}

// As load_decimal, of at most 8 bytes: the last group, if it is incomplete, and one or two before
// it, of which the second fills a half of the word that is left.
template <unsigned size>
void fill_small_decimals(const Cell_type &type, const Cells &cells, std::uint32_t first_row,
                         Column_buffer &column) {
  const Decimal_groups groups(type);
  const unsigned last_bits = 8 * groups.last_bytes;
  const std::uint64_t last_mask = (std::uint64_t{1} << last_bits) - 1;
  const std::uint64_t last_factor = groups.last_factor;
  fill<std::int64_t>(cells, first_row, column, [=](const Byte *cell) {
    constexpr std::uint64_t sign_bit = std::uint64_t{1} << (8 * size - 1);
    const std::uint64_t stored = big_endian<size>(cell);
    const std::uint64_t inverted = (stored & sign_bit) != 0 ? 0 : UINT64_MAX;
    const std::uint64_t digits = (stored ^ sign_bit ^ inverted) & (UINT64_MAX >> (64 - 8 * size));
    const std::uint64_t before = digits >> last_bits;
    const std::uint64_t whole = (before >> 32) * 1'000'000'000 + static_cast<std::uint32_t>(before);
    const std::uint64_t value = whole * last_factor + (digits & last_mask);
    return (value ^ inverted) - inverted;
  });
}

template <unsigned size = 1>
Fill_column small_decimal_decoder(std::size_t bytes) {
  if (bytes == size) return fill_small_decimals<size>;
  if constexpr (size < 8) return small_decimal_decoder<size + 1>(bytes);
  return nullptr;
}

constexpr bool is_leap(unsigned year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr unsigned days_of(unsigned year, unsigned month) {
  constexpr std::array<std::uint8_t, 13> days{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year == 0 || month > 12) return 0;
  return month == 2 && is_leap(year) ? 29 : days[month];
}

// Years begin in March here, so that a leap day is the last one.
constexpr std::int32_t epoch_day(unsigned year, unsigned month, unsigned day) {
  constexpr int days_from_march_of_year_0 = 719'468;
  const unsigned shifted_year = month > 2 ? year : year - 1;
  const unsigned shifted_month = month > 2 ? month - 3 : month + 9;
  const unsigned leap_days = shifted_year / 4 - shifted_year / 100 + shifted_year / 400;
  const unsigned day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
  return static_cast<std::int32_t>(365 * shifted_year + leap_days + day_of_year) -
         days_from_march_of_year_0;
}

struct Month {
  std::int32_t first;  // day since 1970-01-01
  std::int32_t days;   // 0 if the calendar has no such month
};

constexpr unsigned months_of_year = 16;  // as many as 4 bits tell apart

constexpr Month month_of(unsigned year, unsigned month) {
  const unsigned days = days_of(year, month);
  return {days == 0 ? 0 : epoch_day(year, month, 1), static_cast<std::int32_t>(days)};
}

// The months of the years that most dates are of.
constexpr unsigned first_listed_year = 1900;
constexpr unsigned listed_years = 200;
constexpr auto listed_months = [] {
  std::array<Month, listed_years * months_of_year> months{};
  for (unsigned i = 0; i < months.size(); ++i) {
    months[i] = month_of(first_listed_year + i / months_of_year, i % months_of_year);
  }
  return months;
}();

// The day since 1970-01-01 of a date that the calendar has; INT32_MIN of another.
[[gnu::always_inline]] inline std::int32_t day_of(unsigned year, unsigned month, unsigned day) {
  const unsigned listed = year - first_listed_year;
  const Month found = listed < listed_years ? listed_months[listed * months_of_year + month]
                                            : month_of(year, month);
  return day - 1 < static_cast<unsigned>(found.days)
             ? found.first + static_cast<std::int32_t>(day) - 1
             : INT32_MIN;
}

std::int32_t date_of(std::uint32_t stored) {
  const std::int32_t day = day_of(stored >> 9, stored >> 5 & 15, stored & 31);
  return day == INT32_MIN ? INT32_MIN + static_cast<std::int32_t>(stored) : day;
}

void fill_stored_dates(const Cell_type &, const Cells &cells, std::uint32_t first_row,
                       Column_buffer &column) {
  fill<std::int32_t>(cells, first_row, column, [](const Byte *cell) {
    return date_of(static_cast<std::uint32_t>(big_endian<3>(cell)) ^ 0x800000);
  });
}

// Microseconds of a fraction of this many digits, which are stored in pairs.
std::int64_t fraction_of(const Byte *cell, unsigned digits) {
  static constexpr std::array<std::int64_t, 4> micros_of_unit{0, 10'000, 100, 1};
  const unsigned size = (digits + 1) / 2;
  return static_cast<std::int64_t>(big_endian(cell, size)) * micros_of_unit[size];
}

constexpr std::int64_t micros_per_second = 1'000'000;
constexpr std::int64_t seconds_per_day = 86'400;

std::int64_t datetime_of(const Byte *cell, unsigned digits) {
  const std::uint64_t stored = big_endian<5>(cell) & 0x7FFFFFFFFF;
  const auto second = static_cast<unsigned>(stored & 63);
  const auto minute = static_cast<unsigned>(stored >> 6 & 63);
  const auto hour = static_cast<unsigned>(stored >> 12 & 31);
  const auto day = static_cast<unsigned>(stored >> 17 & 31);
  const auto month = static_cast<unsigned>((stored >> 22) % 13);
  const auto year = static_cast<unsigned>((stored >> 22) / 13);
  const std::int32_t epoch_day = day_of(year, month, day);
  if (epoch_day == INT32_MIN) return INT64_MIN + static_cast<std::int64_t>(stored);
  const std::int64_t seconds = epoch_day * seconds_per_day + hour * 3600 + minute * 60 + second;
  return seconds * micros_per_second + fraction_of(cell + 5, digits);
}

void fill_datetimes(const Cell_type &type, const Cells &cells, std::uint32_t first_row,
                    Column_buffer &column) {
  const unsigned digits = type.scale;
  fill<std::int64_t>(cells, first_row, column,
                     [digits](const Byte *cell) { return datetime_of(cell, digits); });
}

// 0 stands for 0000-00-00 00:00:00.
std::int64_t timestamp_of(const Byte *cell, unsigned digits) {
  const auto seconds = static_cast<std::int64_t>(big_endian<4>(cell));
  if (seconds == 0) return INT64_MIN;
  return seconds * micros_per_second + fraction_of(cell + 4, digits);
}

void fill_timestamps(const Cell_type &type, const Cells &cells, std::uint32_t first_row,
                     Column_buffer &column) {
  const unsigned digits = type.scale;
  fill<std::int64_t>(cells, first_row, column,
                     [digits](const Byte *cell) { return timestamp_of(cell, digits); });
}

// Two digits of the fraction in each byte behind hours, minutes and seconds: the whole as an
// integer, its sign bit flipped.
std::int64_t time_of(const Byte *cell, unsigned digits) {
  constexpr std::array<std::int64_t, 4> micros_of_unit{0, 10'000, 100, 1};
  const unsigned fraction_bytes = (digits + 1) / 2;
  const unsigned size = 3 + fraction_bytes;
  const auto value =
      static_cast<std::int64_t>(big_endian(cell, size)) - (std::int64_t{1} << (8 * size - 1));
  const std::int64_t magnitude = value < 0 ? -value : value;
  const std::int64_t whole = magnitude >> (8 * fraction_bytes);
  const std::int64_t fraction = magnitude - (whole << (8 * fraction_bytes));
  const std::int64_t seconds = (whole >> 12) * 3600 + (whole >> 6 & 63) * 60 + (whole & 63);
  const std::int64_t micros =
      seconds * micros_per_second + fraction * micros_of_unit[fraction_bytes];
  return value < 0 ? -micros : micros;
}

void fill_times(const Cell_type &type, const Cells &cells, std::uint32_t first_row,
                Column_buffer &column) {
  const unsigned digits = type.scale;
  fill<std::int64_t>(cells, first_row, column,
                     [digits](const Byte *cell) { return time_of(cell, digits); });
}

void fill_years(const Cell_type &, const Cells &cells, std::uint32_t first_row,
                Column_buffer &column) {
  fill<std::int32_t>(cells, first_row, column,
                     [](const Byte *cell) { return *cell == 0 ? 0 : 1900 + *cell; });
}

void fill_bytes(const Cell_type &, const Cells &cells, std::uint32_t first_row,
                Column_buffer &column) {
  column.append_bytes(first_row, cells.count, [&cells](std::uint32_t row) {
    return std::string_view(reinterpret_cast<const char *>(cells.at(row)), cells.sizes[row]);
  });
}

// Bytes of a decimal (strings/decimal.cc, decimal_bin_size).
std::size_t decimal_size(const Cell_type &type) {
  const unsigned whole = type.precision - type.scale;
  const auto size = [](std::size_t digits) {
    return digits / group_digits * bytes_of_digits.back() + bytes_of_digits[digits % group_digits];
  };
  return size(whole) + size(type.scale);
}

Fill_column decimal_decoder(const Cell_type &type, Layout layout) {
  if (layout == Layout::int64 && type.precision <= 18) {
    const Fill_column small = small_decimal_decoder(decimal_size(type));
    return small != nullptr ? small : fill_decimals<std::int64_t>;
  }
  if (layout == Layout::int128 && type.precision <= 38) return fill_decimals<__int128>;
  return nullptr;
}

Fill_column only(Layout wanted, Layout layout, Fill_column decoder) {
  return wanted == layout ? decoder : nullptr;
}

}  // namespace

std::size_t stored_size(const Cell_type &type) {
  switch (type.kind) {
    case Cell_kind::stored_integer:
      return type.size;
    case Cell_kind::float_number:
      return 4;
    case Cell_kind::double_number:
      return 8;
    case Cell_kind::decimal:
      return decimal_size(type);
    case Cell_kind::stored_date:
      return 3;
    case Cell_kind::datetime:
      return 5 + (type.scale + 1U) / 2;
    case Cell_kind::timestamp:
      return 4 + (type.scale + 1U) / 2;
    case Cell_kind::time:
      return 3 + (type.scale + 1U) / 2;
    case Cell_kind::year:
      return 1;
    case Cell_kind::bytes:
      return 0;
  }
  return 0;
}

Fill_column decoder_of(const Cell_type &type, Layout layout) {
  switch (type.kind) {
    case Cell_kind::stored_integer:
      return type.is_unsigned ? integer_decoder<true>(type.size, layout)
                              : integer_decoder<false>(type.size, layout);
    case Cell_kind::float_number:
      return only(Layout::int32, layout, fill_bits<4>);
    case Cell_kind::double_number:
      return only(Layout::int64, layout, fill_bits<8>);
    case Cell_kind::decimal:
      return decimal_decoder(type, layout);
    case Cell_kind::stored_date:
      return only(Layout::int32, layout, fill_stored_dates);
    case Cell_kind::datetime:
      return only(Layout::int64, layout, fill_datetimes);
    case Cell_kind::timestamp:
      return only(Layout::int64, layout, fill_timestamps);
    case Cell_kind::time:
      return only(Layout::int64, layout, fill_times);
    case Cell_kind::year:
      return only(Layout::int32, layout, fill_years);
    case Cell_kind::bytes:
      return only(Layout::bytes, layout, fill_bytes);
  }
  return nullptr;
}

}  // namespace pq
