#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "pure/cell_comparison.h"
#include "pure/cell_filter.h"
#include "pure/key_codec.h"

namespace pq {
namespace {

using Stored = std::optional<std::string>;

// The rows that pass, by asking the filter of all at once.
std::vector<std::uint32_t> passing(const Cell_filter &filter, const std::vector<Stored> &cells) {
  std::vector<const unsigned char *> data;
  std::vector<std::uint32_t> sizes;
  for (const Stored &cell : cells) {
    data.push_back(cell ? reinterpret_cast<const unsigned char *>(cell->data()) : nullptr);
    sizes.push_back(cell ? static_cast<std::uint32_t>(cell->size()) : 0);
  }
  std::vector<std::uint32_t> rows(cells.size());
  std::iota(rows.begin(), rows.end(), 0U);
  const auto count = static_cast<std::uint32_t>(cells.size());
  rows.resize(filter.apply({data.data(), sizes.data(), count}, rows.data(), count));
  return rows;
}

Filter_interval interval(const Stored &low, bool low_inclusive, const Stored &high,
                         bool high_inclusive) {
  Filter_interval made;
  if (low) made.low = Filter_end{*low, low_inclusive};
  if (high) made.high = Filter_end{*high, high_inclusive};
  return made;
}

// Draws intervals over values in their order, and asks for each value whether it passes: by the
// filter, and by place.
void check_order(const Cell_type &type, const std::vector<std::string> &cells,
                 const std::vector<std::string> &stored, unsigned seed) {
  std::mt19937 engine(seed);
  const auto random = [&engine](std::size_t below) {
    return static_cast<std::size_t>(engine() % below);
  };
  std::vector<Stored> all(cells.begin(), cells.end());
  all.emplace_back();
  for (int round = 0; round < 300; ++round) {
    std::vector<Filter_interval> intervals;
    const bool null_passes = random(2) == 0;
    std::vector<bool> expected(cells.size() + 1, false);
    expected.back() = null_passes;
    for (std::size_t n = random(5); n > 0; --n) {
      std::size_t low = random(cells.size());
      std::size_t high = low + random(cells.size() - low);
      const bool open_low = random(6) == 0;
      const bool open_high = random(6) == 0;
      const bool low_inclusive = random(2) == 0;
      const bool high_inclusive = random(2) == 0;
      intervals.push_back(interval(open_low ? Stored() : stored[low], low_inclusive,
                                   open_high ? Stored() : stored[high], high_inclusive));
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool after_low = open_low || (low_inclusive ? i >= low : i > low);
        const bool before_high = open_high || (high_inclusive ? i <= high : i < high);
        if (after_low && before_high) expected[i] = true;
      }
    }
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < expected.size(); ++i) {
      if (expected[i]) wanted.push_back(i);
    }
    ASSERT_EQ(passing(Cell_filter(type, intervals, null_passes), all), wanted)
        << "round " << round << " seed " << seed;
  }
}

Key_column column_of(Key_kind kind, std::uint32_t bytes, std::uint8_t precision,
                     std::uint8_t scale) {
  Key_column column;
  column.name = "c";
  column.kind = kind;
  column.max_bytes = bytes;
  column.precision = precision;
  column.scale = scale;
  return column;
}

// As the key codec stores them, whose order is InnoDB's.
std::vector<std::string> encoded(const Key_column &column,
                                 const std::vector<std::string> &written) {
  std::vector<std::string> stored;
  for (const std::string &text : written) stored.push_back(encode_key(column, text).value());
  return stored;
}

TEST(CellFilter, ComparesIntegers) {
  const std::vector<std::vector<std::string>> of_size{
      {},
      {"-128", "-127", "-1", "0", "1", "126", "127"},
      {"-32768", "-2", "0", "255", "256", "32767"},
      {"-8388608", "-256", "-255", "0", "65535", "65536", "8388607"},
      {"-2147483648", "-1", "0", "1", "2147483647"}};
  for (std::uint8_t size = 1; size < of_size.size(); ++size) {
    const auto stored = encoded(column_of(Key_kind::signed_integer, size, 0, 0), of_size[size]);
    check_order({Cell_kind::stored_integer, false, size, 0, 0}, stored, stored, size);
  }
  const auto longs = encoded(column_of(Key_kind::signed_integer, 8, 0, 0),
                             {"-9223372036854775808", "-4294967296", "-1", "0", "1",
                              "9223372036854775806", "9223372036854775807"});
  check_order({Cell_kind::stored_integer, false, 8, 0, 0}, longs, longs, 11);
  const auto unsigned_longs =
      encoded(column_of(Key_kind::unsigned_integer, 8, 0, 0),
              {"0", "1", "9223372036854775808", "18446744073709551614", "18446744073709551615"});
  check_order({Cell_kind::stored_integer, true, 8, 0, 0}, unsigned_longs, unsigned_longs, 13);
}

TEST(CellFilter, ComparesDecimalsOfAnySize) {
  const auto small = encoded(column_of(Key_kind::decimal, 0, 12, 2),
                             {"-9999999999.99", "-100.00", "-99.99", "-0.01", "0.00", "0.01",
                              "1.00", "99.99", "100.00", "9999999999.99"});
  check_order({Cell_kind::decimal, false, 0, 12, 2}, small, small, 21);
  const std::string nines(35, '9');
  const auto large = encoded(column_of(Key_kind::decimal, 0, 38, 3),
                             {"-" + nines + ".999", "-1000000000000000000.000", "-0.001", "0.000",
                              "0.001", "12345678901234567890.123", nines + ".999"});
  check_order({Cell_kind::decimal, false, 0, 38, 3}, large, large, 22);
}

TEST(CellFilter, ComparesDatesAndTimes) {
  const auto dates = encoded(column_of(Key_kind::date, 3, 0, 0),
                             {"0000-00-00", "0001-01-01", "1969-12-31", "1970-01-01", "2024-02-29",
                              "2024-03-01", "9999-12-31"});
  check_order({Cell_kind::stored_date, false, 3, 0, 0}, dates, dates, 31);
  const auto datetimes = encoded(
      column_of(Key_kind::datetime, 8, 0, 6),
      {"0000-00-00 00:00:00.000000", "1000-01-01 00:00:00.000000", "2024-02-29 23:59:59.999998",
       "2024-02-29 23:59:59.999999", "9999-12-31 23:59:59.999999"});
  check_order({Cell_kind::datetime, false, 0, 0, 6}, datetimes, datetimes, 33);
  const auto timestamps =
      encoded(column_of(Key_kind::timestamp, 5, 0, 2),
              {"0000-00-00 00:00:00.00", "1970-01-01 00:00:01.00", "2000-01-01 00:00:00.00",
               "2000-01-01 00:00:00.01", "2038-01-19 03:14:07.99"});
  check_order({Cell_kind::timestamp, false, 0, 0, 2}, timestamps, timestamps, 34);
}

template <class T>
std::vector<std::string> bits_of(const std::vector<T> &values) {
  std::vector<std::string> stored;
  for (const T value : values)
    stored.emplace_back(reinterpret_cast<const char *>(&value), sizeof(T));
  return stored;
}

TEST(CellFilter, ComparesFloatingNumbers) {
  const auto doubles =
      bits_of<double>({-1.7e308, -2.5, -1e-308, 0.0, 5e-324, 1e-300, 2.5, 1.7e308});
  check_order({Cell_kind::double_number, false, 8, 0, 0}, doubles, doubles, 41);
  const auto floats = bits_of<float>({-3e38F, -2.5F, -1e-38F, 0.0F, 1e-38F, 2.5F, 3e38F});
  check_order({Cell_kind::float_number, false, 4, 0, 0}, floats, floats, 42);
  const std::string minus_zero = bits_of<double>({-0.0})[0];
  const std::string zero = bits_of<double>({0.0})[0];
  const Cell_filter of_zero({Cell_kind::double_number, false, 8, 0, 0},
                            {interval(zero, true, zero, true)}, false);
  EXPECT_EQ(passing(of_zero, {minus_zero, zero}).size(), 2U);
}

TEST(CellFilter, ComparesBytesOneByOne) {
  const std::vector<std::string> texts{"",     std::string(1, '\0'), "A",   "A ", "AA", "B", "a",
                                       "\x7f", "\xc3\xa9",           "\xff"};
  check_order({Cell_kind::bytes, false, 0, 0, 0}, texts, texts, 51);
}

// In which each is less than the next, as if spaces followed without end.
const std::vector<std::string> padded_in_order{
    std::string(1, '\0'), "\t", "", "!", "A\t", "A", "A!", "AA", "B", "\xc3\xa9"};

TEST(CellFilter, TakesSpacesAtTheEndForNothingIfPadded) {
  const Cell_type type{.kind = Cell_kind::bytes, .is_padded = true};
  std::vector<std::string> longer = padded_in_order;
  for (std::size_t i = 0; i < longer.size(); ++i) longer[i].append(i % 3, ' ');
  check_order(type, padded_in_order, padded_in_order, 52);
  check_order(type, longer, padded_in_order, 53);
  check_order(type, padded_in_order, longer, 54);
}

// The rows that a comparison keeps of pairs.
std::vector<std::uint32_t> compared(const Cell_type &type, Comparison comparison,
                                    const std::vector<std::pair<Stored, Stored>> &pairs) {
  std::vector<const unsigned char *> data[2];
  std::vector<std::uint32_t> sizes[2];
  const auto add = [&](std::size_t side, const Stored &cell) {
    data[side].push_back(cell ? reinterpret_cast<const unsigned char *>(cell->data()) : nullptr);
    sizes[side].push_back(cell ? static_cast<std::uint32_t>(cell->size()) : 0);
  };
  for (const auto &[left, right] : pairs) {
    add(0, left);
    add(1, right);
  }
  const auto count = static_cast<std::uint32_t>(pairs.size());
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  rows.resize(Cell_comparison(type, comparison)
                  .apply({data[0].data(), sizes[0].data(), count},
                         {data[1].data(), sizes[1].data(), count}, rows.data(), count));
  return rows;
}

// Each pair of values that are in order, and NULL beside each.
void check_comparisons(const Cell_type &type, const std::vector<std::string> &stored) {
  std::vector<std::pair<Stored, Stored>> pairs;
  std::vector<int> orders;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    for (std::size_t j = 0; j < stored.size(); ++j) {
      pairs.emplace_back(stored[i], stored[j]);
      orders.push_back(i < j ? -1 : i == j ? 0 : 1);
    }
    pairs.emplace_back(stored[i], std::nullopt);
    pairs.emplace_back(std::nullopt, stored[i]);
    orders.insert(orders.end(), {7, 7});
  }
  const auto check = [&](Comparison comparison, const std::vector<int> &passing_orders) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < orders.size(); ++i) {
      if (std::ranges::find(passing_orders, orders[i]) != passing_orders.end()) wanted.push_back(i);
    }
    EXPECT_EQ(compared(type, comparison, pairs), wanted);
  };
  check(Comparison::equal, {0});
  check(Comparison::not_equal, {-1, 1});
  check(Comparison::less, {-1});
  check(Comparison::less_or_equal, {-1, 0});
  check(Comparison::greater, {1});
  check(Comparison::greater_or_equal, {0, 1});
}

TEST(CellComparison, ComparesAllTypes) {
  check_comparisons({Cell_kind::stored_integer, false, 4, 0, 0},
                    encoded(column_of(Key_kind::signed_integer, 4, 0, 0), {"-7", "0", "8", "256"}));
  check_comparisons({Cell_kind::decimal, false, 0, 38, 3},
                    encoded(column_of(Key_kind::decimal, 0, 38, 3), {"-1.000", "0.000", "0.001"}));
  check_comparisons({Cell_kind::double_number, false, 8, 0, 0},
                    bits_of<double>({-2.5, -1.0, 0.0, 1e300}));
  check_comparisons({Cell_kind::bytes, false, 0, 0, 0}, {"", "A", "A ", "B"});
  check_comparisons({.kind = Cell_kind::bytes, .is_padded = true}, padded_in_order);
}

TEST(CellFilter, WithoutIntervalsLetsThroughNoMoreThanNull) {
  const std::vector<Stored> cells{std::string(1, '\0'), std::nullopt, std::string(1, '\x7f')};
  const Cell_type type{Cell_kind::stored_integer, false, 1, 0, 0};
  EXPECT_EQ(passing(Cell_filter(type, {}, true), cells), std::vector<std::uint32_t>{1});
  EXPECT_TRUE(passing(Cell_filter(type, {}, false), cells).empty());
}

}  // namespace
}  // namespace pq
