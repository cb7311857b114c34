#include "pure/group_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace pq {
namespace {

using Key = std::pair<std::optional<std::string>, std::optional<std::int32_t>>;

constexpr std::uint32_t batch_rows = 100;

// text, int32 and int128.
const std::vector<Layout> layouts{Layout::bytes, Layout::int32, Layout::int128};

const std::vector<Wanted_function> functions{
    {Aggregate::count, {}}, {Aggregate::count, 1}, {Aggregate::sum, 1}, {Aggregate::min, 1},
    {Aggregate::max, 1},    {Aggregate::sum, 2},   {Aggregate::min, 2}, {Aggregate::max, 2},
    {Aggregate::min, 0},    {Aggregate::max, 0}};

struct Row {
  std::optional<std::string> text;
  std::optional<std::int32_t> number;
  std::optional<__int128> wide;
};

// What a group's rows give, computed in the plainest way.
struct Expected {
  std::int64_t rows = 0;
  std::vector<std::int32_t> numbers;
  std::vector<__int128> wides;
  std::vector<std::string> texts;
};

void fill(Column_batch &batch, const std::vector<Row> &rows) {
  batch.clear();
  auto &columns = batch.columns();
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const Row &row = rows[i];
    columns[0].append_bytes(i, 1, [&](std::uint32_t) {
      return row.text ? std::string_view(*row.text) : std::string_view();
    });
    row.number ? columns[1].set(i, *row.number) : columns[1].set_null(i);
    row.wide ? columns[2].set(i, *row.wide) : columns[2].set_null(i);
  }
  batch.end_rows(static_cast<std::uint32_t>(rows.size()));
}

template <class T>
std::optional<T> value(const Column_batch &batch, std::size_t column, std::uint32_t row) {
  const Column_buffer &buffer = batch.columns()[column];
  if (buffer.is_null(row)) return std::nullopt;
  T value{};
  std::memcpy(&value, buffer.values() + row * sizeof(T), sizeof(T));
  return value;
}

template <class T>
std::optional<T> least(const std::vector<T> &values) {
  if (values.empty()) return std::nullopt;
  return *std::ranges::min_element(values);
}

template <class T>
std::optional<T> greatest(const std::vector<T> &values) {
  if (values.empty()) return std::nullopt;
  return *std::ranges::max_element(values);
}

std::optional<std::string> text(const Column_batch &batch, std::size_t column, std::uint32_t row) {
  const Column_buffer &buffer = batch.columns()[column];
  if (buffer.is_null(row)) return std::nullopt;
  return std::string(buffer.bytes(row));
}

Row random_row(std::mt19937_64 &random) {
  static const std::array<std::string, 6> texts{"",         "a",  "a ",
                                                "\xc3\xa9", "ab", std::string(300, 'x')};
  Row row;
  if (random() % 7 != 0) row.text = texts[random() % texts.size()];
  if (random() % 7 != 0) row.number = static_cast<std::int32_t>(random() % 2000) - 1000;
  if (random() % 7 != 0) {
    row.wide = static_cast<__int128>(static_cast<unsigned __int128>(random()) << 64 | random());
  }
  if (random() % 5 == 0) row.number = INT32_MIN;
  return row;
}

// Sums of more bits than an __int128 has, as two halves.
void expect_wide_sum(const Column_batch &batch, std::size_t column, std::uint32_t row,
                     const std::vector<__int128> &values) {
  const auto upper = value<__int128>(batch, column, row);
  const auto lower = value<__int128>(batch, column + 1, row);
  ASSERT_EQ(upper.has_value(), !values.empty());
  ASSERT_EQ(lower.has_value(), !values.empty());
  if (values.empty()) return;
  __int128 expected_upper = 0;
  __int128 expected_lower = 0;
  for (const __int128 one : values) {
    expected_upper += one >> 64;
    expected_lower += static_cast<std::uint64_t>(one);
  }
  EXPECT_TRUE(*upper == expected_upper + (expected_lower >> 64));
  EXPECT_TRUE(*lower == static_cast<std::uint64_t>(expected_lower));
}

void expect_functions(const Column_batch &batch, std::size_t column, std::uint32_t row,
                      const Expected &expected) {
  EXPECT_EQ(value<std::int64_t>(batch, column, row), expected.rows);
  EXPECT_EQ(value<std::int64_t>(batch, column + 1, row), std::ssize(expected.numbers));
  const auto sum = value<__int128>(batch, column + 2, row);
  ASSERT_EQ(sum.has_value(), !expected.numbers.empty());
  if (sum) {
    std::int64_t expected_sum = 0;
    for (const std::int32_t one : expected.numbers) expected_sum += one;
    EXPECT_TRUE(*sum == expected_sum);
  }
  EXPECT_EQ(value<std::int32_t>(batch, column + 3, row), least(expected.numbers));
  EXPECT_EQ(value<std::int32_t>(batch, column + 4, row), greatest(expected.numbers));
  expect_wide_sum(batch, column + 5, row, expected.wides);
  EXPECT_TRUE(value<__int128>(batch, column + 7, row) == least(expected.wides));
  EXPECT_TRUE(value<__int128>(batch, column + 8, row) == greatest(expected.wides));
  EXPECT_EQ(text(batch, column + 9, row), least(expected.texts));
  EXPECT_EQ(text(batch, column + 10, row), greatest(expected.texts));
}

// The bytes of each group's functions by those of its values.
std::map<std::string, std::string> texts_of(const Column_batch &result) {
  std::map<std::string, std::string> texts;
  for (std::uint32_t row = 0; row < result.rows(); ++row) {
    std::array<std::string, 2> key_and_functions;
    for (std::size_t i = 0; i < result.columns().size(); ++i) {
      const Column_buffer &column = result.columns()[i];
      std::string &text =
          key_and_functions[i + functions.size() + 1 < result.columns().size() ? 0 : 1];
      const std::size_t width = width_of(column.layout());
      text += column.is_null(row) ? "NULL"
              : column.layout() == Layout::bytes
                  ? std::string(column.bytes(row))
                  : std::string(column.values() + row * width, width);
      text += '|';
    }
    EXPECT_TRUE(texts.emplace(key_and_functions[0], key_and_functions[1]).second);
  }
  return texts;
}

void add(Expected &expected, const Row &row) {
  ++expected.rows;
  if (row.number) expected.numbers.push_back(*row.number);
  if (row.wide) expected.wides.push_back(*row.wide);
  if (row.text) expected.texts.push_back(*row.text);
}

TEST(GroupTable, GivesWhatIsComputedOfTheRowsOfEachGroup) {
  std::mt19937_64 random(1);
  Group_table table(layouts, {{0, 1}, functions});
  Column_batch batch(layouts, batch_rows);
  std::map<Key, Expected> expected;
  for (int i = 0; i < 200; ++i) {
    std::vector<Row> rows(random() % batch_rows);
    for (Row &row : rows) {
      row = random_row(random);
      add(expected[{row.text, row.number}], row);
    }
    fill(batch, rows);
    table.add(batch);
  }
  const Column_batch result = table.result();
  ASSERT_EQ(result.rows(), expected.size());
  for (std::uint32_t row = 0; row < result.rows(); ++row) {
    Key key;
    if (!result.columns()[0].is_null(row)) key.first = std::string(result.columns()[0].bytes(row));
    key.second = value<std::int32_t>(result, 1, row);
    const auto found = expected.find(key);
    ASSERT_NE(found, expected.end());
    expect_functions(result, 2, row, found->second);
    expected.erase(found);
  }
}

TEST(GroupTable, HasOneGroupWithoutColumnsToGroupBy) {
  std::mt19937_64 random(2);
  Group_table table(layouts, {{}, functions});
  Expected expected;
  const Column_batch none = table.result();
  ASSERT_EQ(none.rows(), 1U);
  expect_functions(none, 0, 0, expected);
  Column_batch batch(layouts, batch_rows);
  for (int i = 0; i < 10; ++i) {
    std::vector<Row> rows(batch_rows);
    for (Row &row : rows) add(expected, row = random_row(random));
    fill(batch, rows);
    table.add(batch);
  }
  const Column_batch result = table.result();
  ASSERT_EQ(result.rows(), 1U);
  expect_functions(result, 0, 0, expected);
}

TEST(GroupTable, HasNoGroupOfNoRows) {
  Group_table table(layouts, {{0}, functions});
  EXPECT_EQ(table.result().rows(), 0U);
}

// Each table takes the same rows in batches of its own. Batches with long texts are read in another
// way.
TEST(GroupTable, GivesTheSameHoweverRowsComeInBatches) {
  for (const std::uint32_t different : {3U, 31U, 33U, 2000U}) {
    std::mt19937_64 random(different);
    std::vector<Row> rows(5000);
    for (Row &row : rows) {
      row = random_row(random);
      row.text = std::to_string(random() % different);
      if (random() % 11 == 0) row.text = "long enough for no word " + *row.text;
    }
    std::map<std::string, std::string> expected;
    for (const std::uint32_t most : {1U, 7U, 100U}) {
      Group_table table(layouts, {{0}, functions});
      Column_batch batch(layouts, most);
      for (std::size_t first = 0; first < rows.size();) {
        const std::size_t count = std::min<std::size_t>(1 + random() % most, rows.size() - first);
        fill(batch, {rows.begin() + static_cast<std::ptrdiff_t>(first),
                     rows.begin() + static_cast<std::ptrdiff_t>(first + count)});
        table.add(batch);
        first += count;
      }
      const auto written = texts_of(table.result());
      if (expected.empty()) expected = written;
      EXPECT_EQ(written, expected) << most << " of " << different;
      EXPECT_GT(written.size(), different / 2);
    }
  }
}

TEST(GroupTable, BeginsAnewWhenCleared) {
  std::mt19937_64 random(3);
  for (const std::vector<std::uint32_t> &groups : {std::vector<std::uint32_t>{}, {1, 2}, {0}}) {
    Group_table used(layouts, {groups, functions});
    Group_table fresh(layouts, {groups, functions});
    Column_batch batch(layouts, batch_rows);
    std::vector<Row> rows(batch_rows);
    for (int i = 0; i < 10; ++i) {
      for (Row &row : rows) row = random_row(random);
      fill(batch, rows);
      used.add(batch);
    }
    used.clear();
    EXPECT_EQ(used.groups(), groups.empty() ? 1U : 0U);
    used.add(batch);
    fresh.add(batch);
    EXPECT_EQ(texts_of(used.result()), texts_of(fresh.result()));
  }
}

TEST(GroupTable, SaysHowLargeItsResultIs) {
  Group_table table(layouts, {{0, 1}, functions});
  Column_batch batch(layouts, batch_rows);
  std::vector<Row> rows(batch_rows);
  for (std::uint32_t i = 0; i < batch_rows; ++i) {
    rows[i] = {std::string(1000, 'x'), static_cast<std::int32_t>(i), {}};
  }
  fill(batch, rows);
  table.add(batch);
  EXPECT_EQ(table.groups(), batch_rows);
  EXPECT_GE(table.size(), table.result().size() - 4096);
  EXPECT_LE(table.size(), 2 * table.result().size());
}

// The bits of a DOUBLE and a FLOAT.
Column_batch floating_batch(const std::vector<std::optional<double>> &values) {
  Column_batch batch({Layout::int64, Layout::int32}, static_cast<std::uint32_t>(values.size()));
  for (std::uint32_t row = 0; row < values.size(); ++row) {
    if (values[row]) {
      batch.columns()[0].set(row, *values[row]);
      batch.columns()[1].set(row, static_cast<float>(*values[row]));
    } else {
      batch.columns()[0].set_null(row);
      batch.columns()[1].set_null(row);
    }
  }
  batch.end_rows(static_cast<std::uint32_t>(values.size()));
  return batch;
}

TEST(GroupTable, AddsFloatingNumbersInTheOrderOfTheRows) {
  const Wanted_aggregation added{{}, {{Aggregate::sum, 0}, {Aggregate::count, 0}}};
  std::mt19937_64 random(5);
  Group_table table({Layout::int64, Layout::int32}, added, {true, true});
  double sum = 0;
  for (int i = 0; i < 50; ++i) {
    std::vector<std::optional<double>> values(batch_rows);
    for (auto &one : values) {
      if (random() % 5 == 0) continue;
      one = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 100) - 50);
      sum += *one;
    }
    table.add(floating_batch(values));
  }
  EXPECT_EQ(table.result_layouts(), (std::vector<Layout>{Layout::int64, Layout::int64}));
  EXPECT_EQ(value<double>(table.result(), 0, 0), sum);
  table.clear();
  EXPECT_EQ(value<double>(table.result(), 0, 0), std::nullopt);
  // As Trino adds.
  table.add(floating_batch({-0.0, std::nullopt, -0.0}));
  EXPECT_FALSE(std::signbit(*value<double>(table.result(), 0, 0)));
  table.add(
      floating_batch({std::numeric_limits<double>::max(), std::numeric_limits<double>::max()}));
  EXPECT_EQ(value<double>(table.result(), 0, 0), std::numeric_limits<double>::infinity());
}

TEST(GroupTable, OrdersFloatingNumbers) {
  constexpr double most = std::numeric_limits<double>::max();
  constexpr double small = std::numeric_limits<float>::denorm_min();
  const std::vector<double> ascending{-most, -2, -1, -small, -0.0, 0.0, small, 1, 2, most};
  const Wanted_aggregation extremes{
      {}, {{Aggregate::min, 0}, {Aggregate::max, 0}, {Aggregate::min, 1}, {Aggregate::max, 1}}};
  for (std::size_t low = 0; low < ascending.size(); ++low) {
    for (std::size_t high = low; high < ascending.size(); ++high) {
      Group_table table({Layout::int64, Layout::int32}, extremes, {true, true});
      table.add(floating_batch({std::nullopt, ascending[high], ascending[low], ascending[high]}));
      const auto bits = [](auto number) { return std::bit_cast<std::int64_t>(double{number}); };
      const Column_batch result = table.result();
      EXPECT_EQ(bits(*value<double>(result, 0, 0)), bits(ascending[low]));
      EXPECT_EQ(bits(*value<double>(result, 1, 0)), bits(ascending[high]));
      EXPECT_EQ(bits(*value<float>(result, 2, 0)), bits(static_cast<float>(ascending[low])));
      EXPECT_EQ(bits(*value<float>(result, 3, 0)), bits(static_cast<float>(ascending[high])));
    }
  }
}

TEST(GroupTable, CountsTheTextsThatItKeeps) {
  const Wanted_aggregation greatest_text{{}, {{Aggregate::max, 0}, {Aggregate::count, 0}}};
  EXPECT_EQ(Group_table::texts(layouts, greatest_text), 1U);
  Group_table table(layouts, greatest_text);
  Column_batch batch(layouts, batch_rows);
  const std::size_t empty = table.size();
  for (const char c : {'a', 'b', 'c'}) {
    fill(batch, {{std::string(1000, c), {}, {}}, {std::string(10, c), {}, {}}});
    table.add(batch);
    EXPECT_GE(table.size(), empty + 1000);
    EXPECT_LE(table.size(), empty + 2000);
  }
  EXPECT_EQ(text(table.result(), 0, 0), std::string(1000, 'c'));
  table.clear();
  EXPECT_EQ(table.size(), empty);
  EXPECT_EQ(text(table.result(), 0, 0), std::nullopt);
}

TEST(GroupTable, TakesNoLongTextsForFunctions) {
  const std::string longest(Group_table::most_text_bytes, 'x');
  Column_batch batch(layouts, batch_rows);
  for (const bool too_long : {false, true}) {
    fill(batch, {{"a", {}, {}}, {longest + (too_long ? "x" : ""), {}, {}}, {{}, {}, {}}});
    EXPECT_EQ(Group_table(layouts, {{}, {{Aggregate::min, 0}}}).takes(batch), !too_long);
    EXPECT_TRUE(Group_table(layouts, {{0}, {{Aggregate::count, 0}}}).takes(batch));
  }
}

// What min or max of a column gives beside it, computed in the plainest way: the rows that have a
// value of the compared column, in their order.
template <class T>
struct Extreme_row {
  std::optional<T> compared;
  Row row;

  void add(const std::optional<T> &value, const Row &candidate, bool wants_least) {
    if (!value) return;
    const bool is_better = !compared || (wants_least ? *value < *compared : *value > *compared);
    if (!is_better) return;
    compared = value;
    row = candidate;
  }
};

// By the group: the least number, the greatest wide number, and the least text.
struct Expected_beside {
  Extreme_row<std::int32_t> number;
  Extreme_row<__int128> wide;
  Extreme_row<std::string> text;

  void add(const Row &row) {
    number.add(row.number, row, true);
    wide.add(row.wide, row, false);
    text.add(row.text, row, true);
  }
};

const std::vector<Wanted_function> beside_functions{{Aggregate::min, 1, 0},
                                                    {Aggregate::count, {}},
                                                    {Aggregate::max, 2, 1},
                                                    {Aggregate::min, 0, 2},
                                                    {Aggregate::min, 0, 0}};

void expect_beside(const Column_batch &batch, std::size_t column, std::uint32_t row,
                   const Expected_beside &expected) {
  EXPECT_EQ(value<std::int32_t>(batch, column, row), expected.number.compared);
  EXPECT_EQ(text(batch, column + 1, row), expected.number.row.text);
  EXPECT_TRUE(value<__int128>(batch, column + 3, row) == expected.wide.compared);
  EXPECT_EQ(value<std::int32_t>(batch, column + 4, row), expected.wide.row.number);
  EXPECT_EQ(text(batch, column + 5, row), expected.text.compared);
  EXPECT_TRUE(value<__int128>(batch, column + 6, row) == expected.text.row.wide);
  EXPECT_EQ(text(batch, column + 7, row), expected.text.compared);
  EXPECT_EQ(text(batch, column + 8, row), expected.text.compared);
}

TEST(GroupTable, GivesAValueOfTheFirstRowThatHasTheExtreme) {
  for (const std::uint32_t different : {1U, 10U, 500U}) {
    std::mt19937_64 random(different);
    Group_table table({Layout::bytes, Layout::int32, Layout::int128, Layout::int32},
                      {{3}, beside_functions});
    EXPECT_EQ(table.result_layouts(),
              (std::vector<Layout>{Layout::int32, Layout::int32, Layout::bytes, Layout::int64,
                                   Layout::int128, Layout::int32, Layout::bytes, Layout::int128,
                                   Layout::bytes, Layout::bytes}));
    Column_batch batch({Layout::bytes, Layout::int32, Layout::int128, Layout::int32}, batch_rows);
    std::map<std::int32_t, Expected_beside> expected;
    for (int i = 0; i < 100; ++i) {
      std::vector<Row> rows(random() % batch_rows);
      for (Row &row : rows) row = random_row(random);
      fill(batch, rows);
      for (std::uint32_t row = 0; row < rows.size(); ++row) {
        const auto group = static_cast<std::int32_t>(random() % different);
        batch.columns()[3].set(row, group);
        expected[group].add(rows[row]);
      }
      table.add(batch);
    }
    const Column_batch result = table.result();
    ASSERT_EQ(result.rows(), expected.size());
    for (std::uint32_t row = 0; row < result.rows(); ++row) {
      expect_beside(result, 1, row, expected.at(*value<std::int32_t>(result, 0, row)));
    }
  }
}

TEST(GroupTable, GivesNullBesideNoExtreme) {
  Group_table table(layouts, {{}, beside_functions});
  expect_beside(table.result(), 0, 0, {});
  Column_batch batch(layouts, batch_rows);
  // A NULL of what is compared is no extreme.
  fill(batch, {{"a", {}, {}}, {"b", {}, {}}});
  table.add(batch);
  EXPECT_EQ(value<std::int32_t>(table.result(), 0, 0), std::nullopt);
  EXPECT_EQ(text(table.result(), 1, 0), std::nullopt);
  // A NULL of the value beside it is one.
  fill(batch, {{{}, 5, {}}, {"c", 5, {}}, {"d", 6, {}}});
  table.add(batch);
  EXPECT_EQ(value<std::int32_t>(table.result(), 0, 0), 5);
  EXPECT_EQ(text(table.result(), 1, 0), std::nullopt);
  fill(batch, {{"e", 5, {}}, {"f", 4, {}}, {"g", 4, {}}});
  table.add(batch);
  EXPECT_EQ(text(table.result(), 1, 0), "f");
  fill(batch, {{{}, 3, {}}});
  table.add(batch);
  EXPECT_EQ(text(table.result(), 1, 0), std::nullopt);
  table.clear();
  expect_beside(table.result(), 0, 0, {});
}

// No number is taken for none.
TEST(GroupTable, GivesValuesBesideTheGreatestAndTheLeastNumbers) {
  constexpr __int128 most = std::numeric_limits<__int128>::max();
  constexpr __int128 least_of_all = std::numeric_limits<__int128>::min();
  Group_table table(layouts, {{}, {{Aggregate::min, 2, 1}, {Aggregate::max, 2, 1}}});
  Column_batch batch(layouts, batch_rows);
  fill(batch, {{{}, 1, most}});
  table.add(batch);
  EXPECT_EQ(value<std::int32_t>(table.result(), 1, 0), 1);
  table.clear();
  fill(batch, {{{}, 2, least_of_all}});
  table.add(batch);
  EXPECT_EQ(value<std::int32_t>(table.result(), 3, 0), 2);
}

TEST(GroupTable, GivesFloatingNumbersBesideOthers) {
  const Wanted_aggregation beside{{}, {{Aggregate::min, 0, 1}, {Aggregate::max, 1, 0}}};
  Group_table table({Layout::int64, Layout::int32}, beside, {true, true});
  table.add(floating_batch({1.5, std::nullopt, -2.5, 7, -3.5, -0.0}));
  const Column_batch result = table.result();
  EXPECT_EQ(value<double>(result, 0, 0), -3.5);
  EXPECT_EQ(value<float>(result, 1, 0), -3.5F);
  EXPECT_EQ(value<float>(result, 2, 0), 7.0F);
  EXPECT_EQ(value<double>(result, 3, 0), 7.0);
}

TEST(GroupTable, CountsTheTextsBesideExtremes) {
  const Wanted_aggregation beside{{}, {{Aggregate::max, 1, 0}, {Aggregate::max, 0, 0}}};
  EXPECT_EQ(Group_table::texts(layouts, beside), 3U);
  Group_table table(layouts, beside);
  Column_batch batch(layouts, batch_rows);
  const std::size_t empty = table.size();
  for (const int i : {1, 2, 3}) {
    const char c = static_cast<char>('a' + i);
    fill(batch, {{std::string(1000, c), i, {}}, {std::string(10, c), 0, {}}});
    table.add(batch);
    EXPECT_GE(table.size(), empty + 3000);
    EXPECT_LE(table.size(), empty + 6000);
  }
  EXPECT_EQ(text(table.result(), 1, 0), std::string(1000, 'd'));
  table.clear();
  EXPECT_EQ(table.size(), empty);
  // A function keeps as many texts as it gives.
  EXPECT_GT(Group_table::memory({{}, {{Aggregate::min, 0, 1}}}, 1000, 0),
            Group_table::memory({{}, {{Aggregate::min, 0}}}, 1000, 0));
  const std::string too_long(Group_table::most_text_bytes + 1, 'x');
  fill(batch, {{too_long, {}, {}}});
  EXPECT_FALSE(Group_table(layouts, {{}, {{Aggregate::min, 1, 0}}}).takes(batch));
  EXPECT_TRUE(Group_table(layouts, {{}, {{Aggregate::min, 1, 2}}}).takes(batch));
}

}  // namespace
}  // namespace pq
