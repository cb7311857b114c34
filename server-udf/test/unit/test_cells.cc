#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <random>

#include "pure/cells.h"
#include "pure/key_codec.h"

namespace pq {
namespace {

using Bytes = std::string;
using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

// Decodes one cell into a column of its own, and reads it back.
template <class Value>
Value decoded(const Cell_type &type, Layout layout, const Bytes &stored) {
  Column_batch batch({layout}, 1);
  const auto *cell = reinterpret_cast<const unsigned char *>(stored.data());
  decoder_of(type, layout)(type, {&cell, nullptr, 1}, 0, batch.columns()[0]);
  batch.end_rows(1);
  Bytes written;
  batch.write({}, written);
  Value value;
  std::memcpy(&value, written.data() + written.size() - std::max<std::size_t>(sizeof(Value), 8),
              sizeof(Value));
  return value;
}

__int128 decoded_integer(const Cell_type &type, Layout layout, const Bytes &stored) {
  switch (layout) {
    case Layout::int8:
      return decoded<std::int8_t>(type, layout, stored);
    case Layout::int16:
      return decoded<std::int16_t>(type, layout, stored);
    case Layout::int32:
      return decoded<std::int32_t>(type, layout, stored);
    case Layout::int64:
      return decoded<std::int64_t>(type, layout, stored);
    default:
      return decoded<__int128>(type, layout, stored);
  }
}

constexpr Layout integer_layouts[] = {Layout::int8, Layout::int16, Layout::int32, Layout::int64,
                                      Layout::int128};

Bytes little_endian(__int128 value, std::size_t size) {
  Bytes bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> 8 * i));
  return bytes;
}

Bytes stored_integer(__int128 value, std::size_t size, bool is_unsigned) {
  Bytes bytes = little_endian(value, size);
  std::ranges::reverse(bytes);
  if (!is_unsigned) bytes[0] = static_cast<char>(bytes[0] ^ 0x80);
  return bytes;
}

// The least and greatest value of a type, those around zero, and some between.
std::vector<__int128> values_of(std::size_t size, bool is_unsigned) {
  const __int128 one = 1;
  const __int128 least = is_unsigned ? 0 : -(one << (8 * size - 1));
  const __int128 greatest = (one << (is_unsigned ? 8 * size : 8 * size - 1)) - 1;
  std::vector<__int128> values{least, least + 1, 0, 1, greatest - 1, greatest};
  std::mt19937_64 random(size);
  for (int i = 0; i < 100; ++i) {
    values.push_back(least +
                     static_cast<__int128>(static_cast<unsigned __int128>(random()) %
                                           static_cast<unsigned __int128>(greatest - least)));
  }
  return values;
}

TEST(IntegerCells, KeepTheirValuesInEachLayoutThatHoldsThem) {
  for (const bool is_unsigned : {false, true}) {
    for (std::uint8_t size = 1; size <= 8; ++size) {
      for (const Layout layout : integer_layouts) {
        const Cell_type record{Cell_kind::stored_integer, is_unsigned, size, 0, 0};
        const bool fits = width_of(layout) >= size + (is_unsigned ? 1U : 0U);
        ASSERT_EQ(decoder_of(record, layout) != nullptr, fits);
        if (!fits) continue;
        for (const __int128 value : values_of(size, is_unsigned)) {
          ASSERT_TRUE(decoded_integer(record, layout, stored_integer(value, size, is_unsigned)) ==
                      value);
        }
      }
    }
  }
}

TEST(NumberCells, KeepTheirBits) {
  const double number = -1.25e300;
  const float single = 3.5e-10F;
  const Bytes number_bytes(reinterpret_cast<const char *>(&number), sizeof(number));
  const Bytes single_bytes(reinterpret_cast<const char *>(&single), sizeof(single));
  EXPECT_EQ(
      decoded<double>({Cell_kind::double_number, false, 8, 0, 0}, Layout::int64, number_bytes),
      number);
  EXPECT_EQ(decoded<float>({Cell_kind::float_number, false, 4, 0, 0}, Layout::int32, single_bytes),
            single);
  EXPECT_EQ(decoder_of({Cell_kind::double_number, false, 8, 0, 0}, Layout::int32), nullptr);
}

// The key codec stores; it was written apart from what reads here.
Bytes stored(Key_kind kind, std::uint8_t precision, std::uint8_t scale, const std::string &text) {
  Key_column column;
  column.name = "c";
  column.kind = kind;
  column.precision = precision;
  column.scale = scale;
  const auto bytes = encode_key(column, text);
  EXPECT_TRUE(bytes.has_value()) << text;
  return bytes.value_or("");
}

TEST(DecimalCells, AreTheDigitsWithoutThePoint) {
  std::mt19937 engine(5);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  for (std::uint8_t precision = 1; precision <= 38; ++precision) {
    for (std::uint8_t scale = 0; scale <= std::min<int>(precision, 30); ++scale) {
      const Cell_type type{Cell_kind::decimal, false, 0, precision, scale};
      ASSERT_EQ(decoder_of(type, Layout::int64) != nullptr, precision <= 18);
      for (int i = 0; i < 20; ++i) {
        const unsigned digits = random() % precision + 1;
        __int128 value = 0;
        std::string all;
        for (unsigned d = 0; d < precision; ++d) {
          const char digit = d + digits < precision ? '0'
                             : i == 0               ? '9'
                                                    : static_cast<char>('0' + random() % 10);
          all.push_back(digit);
          value = 10 * value + (digit - '0');
        }
        std::string whole = all.substr(0, precision - scale);
        whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
        std::string text =
            (whole.empty() ? "0" : whole) + (scale == 0 ? "" : "." + all.substr(precision - scale));
        const bool negative = i % 2 == 1 && value != 0;
        if (negative) text.insert(0, "-");
        const Bytes bytes = stored(Key_kind::decimal, precision, scale, text);
        const __int128 expected = negative ? -value : value;
        ASSERT_TRUE(decoded<__int128>(type, Layout::int128, bytes) == expected) << text;
        if (precision <= 18) {
          ASSERT_EQ(decoded<std::int64_t>(type, Layout::int64, bytes),
                    static_cast<std::int64_t>(expected))
              << text;
        }
      }
    }
  }
  EXPECT_EQ(decoder_of({Cell_kind::decimal, false, 0, 39, 0}, Layout::int128), nullptr);
}

TEST(DateCells, AreDaysSince1970WhereTheCalendarHasThem) {
  const Cell_type record{Cell_kind::stored_date, false, 3, 0, 0};
  for (unsigned y : {0U, 1U, 4U, 100U, 400U, 1582U, 1600U, 1899U, 1900U, 1969U, 1970U, 1999U, 2000U,
                     2200U, 2024U, 2100U, 9999U}) {
    for (unsigned m = 0; m <= 15; ++m) {
      for (unsigned d = 0; d <= 31; ++d) {
        const std::uint32_t packed = y << 9 | m << 5 | d;
        const year_month_day date{year(static_cast<int>(y)), month(m), day(d)};
        const std::int32_t expected =
            y > 0 && date.ok()
                ? static_cast<std::int32_t>(sys_days(date).time_since_epoch().count())
                : INT32_MIN + static_cast<std::int32_t>(packed);
        ASSERT_EQ(decoded<std::int32_t>(record, Layout::int32, stored_integer(packed, 3, false)),
                  expected)
            << y << ' ' << m << ' ' << d;
      }
    }
  }
}

std::string padded(unsigned value, std::size_t digits) {
  std::string text = std::to_string(value);
  return std::string(digits - text.size(), '0') + text;
}

std::string text_of(const year_month_day &date, unsigned second_of_day, unsigned fraction,
                    std::uint8_t digits) {
  std::string text = padded(static_cast<unsigned>(static_cast<int>(date.year())), 4) + "-" +
                     padded(static_cast<unsigned>(date.month()), 2) + "-" +
                     padded(static_cast<unsigned>(date.day()), 2) + " " +
                     padded(second_of_day / 3600, 2) + ":" + padded(second_of_day / 60 % 60, 2) +
                     ":" + padded(second_of_day % 60, 2);
  return digits == 0 ? text : text + "." + padded(fraction, digits);
}

// Checks random moments between two days.
void check_moments(Cell_kind cell, Key_kind key, const year_month_day &from,
                   const year_month_day &to) {
  std::mt19937 engine(11);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  for (std::uint8_t digits = 0; digits <= 6; ++digits) {
    const Cell_type type{cell, false, 0, 0, digits};
    unsigned unit = 1;
    for (unsigned i = digits; i < 6; ++i) unit *= 10;
    for (int i = 0; i < 5000; ++i) {
      const auto days = static_cast<unsigned>((sys_days(to) - sys_days(from)).count());
      const sys_days on = sys_days(from) + std::chrono::days(random() % days + 1);
      const unsigned second = random() % 86400;
      const unsigned fraction = random() % (1'000'000 / unit);
      const std::int64_t expected =
          (on.time_since_epoch().count() * std::int64_t{86400} + second) * 1'000'000 +
          fraction * unit;
      const Bytes bytes =
          stored(key, 0, digits, text_of(year_month_day(on), second, fraction, digits));
      ASSERT_EQ(decoded<std::int64_t>(type, Layout::int64, bytes), expected);
    }
  }
}

TEST(DatetimeCells, AreMicrosecondsSince1970) {
  check_moments(Cell_kind::datetime, Key_kind::datetime, year(1) / 1 / 1, year(9999) / 12 / 31);
}

TEST(TimestampCells, AreMicrosecondsSince1970) {
  check_moments(Cell_kind::timestamp, Key_kind::timestamp, year(1970) / 1 / 1, year(2038) / 1 / 18);
}

// By the key codec, whose text says the same.
TEST(TimeCells, AreMicroseconds) {
  const std::pair<const char *, std::int64_t> times[] = {{"00:00:00.000000", 0},
                                                         {"00:00:00.000001", 1},
                                                         {"-00:00:00.000001", -1},
                                                         {"-00:00:01.000000", -1'000'000},
                                                         {"12:34:56.780000", 45'296'780'000},
                                                         {"-12:34:56.780000", -45'296'780'000},
                                                         {"838:59:59.000000", 3'020'399'000'000},
                                                         {"-838:59:59.000000", -3'020'399'000'000}};
  for (const auto &[text, micros] : times) {
    for (std::uint8_t digits = 0; digits <= 6; ++digits) {
      const std::string whole(text, std::string_view(text).size() - 7);
      const std::string written =
          digits == 0 ? whole : std::string(text, whole.size() + 1 + digits);
      std::int64_t unit = 1;
      for (unsigned i = digits; i < 6; ++i) unit *= 10;
      if (whole.starts_with("-") && micros / unit == 0) continue;
      const Cell_type type{Cell_kind::time, false, 0, 0, digits};
      ASSERT_EQ(
          decoded<std::int64_t>(type, Layout::int64, stored(Key_kind::time, 0, digits, written)),
          micros / unit * unit)
          << written;
    }
  }
}

TEST(YearCells, AreYears) {
  const Cell_type type{Cell_kind::year, true, 1, 0, 0};
  EXPECT_EQ(decoded<std::int32_t>(type, Layout::int32, Bytes(1, '\0')), 0);
  EXPECT_EQ(decoded<std::int32_t>(type, Layout::int32, Bytes(1, '\1')), 1901);
  EXPECT_EQ(decoded<std::int32_t>(type, Layout::int32, Bytes(1, '\xff')), 2155);
}

TEST(DatetimeCells, TellWhatNoCalendarHas) {
  const Cell_type type{Cell_kind::datetime, false, 0, 0, 0};
  const auto packed = [](std::uint64_t y, std::uint64_t m, std::uint64_t d, std::uint64_t second) {
    return (y * 13 + m) << 22 | d << 17 | second;
  };
  EXPECT_EQ(decoded<std::int64_t>(type, Layout::int64,
                                  stored(Key_kind::datetime, 0, 0, "0000-00-00 00:00:00")),
            INT64_MIN);
  EXPECT_EQ(decoded<std::int64_t>(type, Layout::int64,
                                  stored(Key_kind::datetime, 0, 0, "2021-02-29 00:00:07")),
            INT64_MIN + static_cast<std::int64_t>(packed(2021, 2, 29, 7)));
  EXPECT_EQ(decoded<std::int64_t>(type, Layout::int64,
                                  stored(Key_kind::datetime, 0, 0, "2021-00-01 00:00:00")),
            INT64_MIN + static_cast<std::int64_t>(packed(2021, 0, 1, 0)));
  EXPECT_EQ(
      decoded<std::int64_t>({Cell_kind::timestamp, false, 0, 0, 0}, Layout::int64, Bytes(4, '\0')),
      INT64_MIN);
}

}  // namespace
}  // namespace pq
