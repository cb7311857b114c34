#include "pure/first_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace pq {
namespace {

constexpr std::uint32_t rows_of_block = 64;

// A row in the plainest form.
struct Row {
  std::optional<std::int64_t> big;
  std::optional<__int128> wide;
  std::optional<std::string> text;
  std::optional<double> floating;
};

Wanted_expression column(const std::string &name) { return {Operator::column, {name}, {}, {}}; }

Result<Program::Input> find_input(const std::string &name) {
  if (name == "big") {
    return Program::Input{Program::Kind::integer, Layout::int64, {INT64_MIN, INT64_MAX}};
  }
  if (name == "wide") return Program::Input{Program::Kind::integer, Layout::int128, {}};
  if (name == "floating") {
    return Program::Input{Program::Kind::floating, Layout::int64, {INT64_MIN, INT64_MAX}};
  }
  return Program::Input{Program::Kind::text, Layout::bytes, {}};
}

Program compile(const Wanted_first &wanted) {
  std::vector<Wanted_expression> expressions;
  for (const Wanted_order &order : wanted.order) expressions.push_back(order.expression);
  return *Program::compile(expressions, find_input);
}

std::strong_ordering compare_texts(const std::string &left, const std::string &right) {
  const auto unsigned_byte = [](char c) { return static_cast<unsigned char>(c); };
  return std::lexicographical_compare_three_way(
      left.begin(), left.end(), right.begin(), right.end(),
      [&](char a, char b) { return unsigned_byte(a) <=> unsigned_byte(b); });
}

// There is no NaN, and both zeros are equal.
std::strong_ordering compare_floating(double left, double right) {
  if (left < right) return std::strong_ordering::less;
  return left > right ? std::strong_ordering::greater : std::strong_ordering::equal;
}

template <class T, class Compare>
std::strong_ordering compare(const Wanted_order &order, const std::optional<T> &left,
                             const std::optional<T> &right, Compare compare_values) {
  if (!left || !right) {
    if (left.has_value() == right.has_value()) return std::strong_ordering::equal;
    return left.has_value() == order.nulls_first ? std::strong_ordering::greater
                                                 : std::strong_ordering::less;
  }
  const std::strong_ordering ascending = compare_values(*left, *right);
  return order.descending ? 0 <=> ascending : ascending;
}

std::strong_ordering compare(const Wanted_first &wanted, const Row &left, const Row &right) {
  for (const Wanted_order &order : wanted.order) {
    const std::string &name = order.expression.texts.front();
    const auto numbers = [](auto a, auto b) { return a <=> b; };
    const auto compared = name == "big"    ? compare(order, left.big, right.big, numbers)
                          : name == "wide" ? compare(order, left.wide, right.wide, numbers)
                          : name == "floating"
                              ? compare(order, left.floating, right.floating, compare_floating)
                              : compare(order, left.text, right.text, compare_texts);
    if (compared != 0) return compared;
  }
  return std::strong_ordering::equal;
}

// Fills a block as the columns of the program say.
Column_batch block_of(const Program &program, std::span<const Row> rows) {
  Column_batch batch(program.input_layouts(), rows_of_block);
  for (std::size_t i = 0; i < program.columns().size(); ++i) {
    const std::string &name = program.columns()[i];
    Column_buffer &buffer = batch.columns()[i];
    const auto set = [&](std::uint32_t row, const auto &value) {
      value ? buffer.set(row, *value) : buffer.set_null(row);
    };
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      if (name == "big") set(row, rows[row].big);
      if (name == "wide") set(row, rows[row].wide);
      if (name == "floating") set(row, rows[row].floating);
    }
    if (name == "text") {
      buffer.append_bytes(
          0, static_cast<std::uint32_t>(rows.size()), [&](std::uint32_t row) -> std::string_view {
            return rows[row].text ? std::string_view(*rows[row].text) : std::string_view();
          });
    }
  }
  batch.end_rows(static_cast<std::uint32_t>(rows.size()));
  return batch;
}

// The rows that are kept, block by block, and those of them that are kept in a batch of all.
struct Kept {
  std::vector<Row> of_blocks;
  std::vector<Row> of_batch;
};

Kept keep(const Wanted_first &wanted, const std::vector<Row> &rows) {
  const Program program = compile(wanted);
  Program::Values values(program, rows_of_block);
  First_rows first(wanted, program, rows_of_block, static_cast<std::uint32_t>(rows.size()));
  Kept kept;
  for (std::size_t begin = 0; begin < rows.size(); begin += rows_of_block) {
    const std::span block =
        std::span(rows).subspan(begin, std::min<std::size_t>(rows_of_block, rows.size() - begin));
    const Column_batch batch = block_of(program, block);
    EXPECT_TRUE(values.evaluate(batch));
    std::vector<std::uint32_t> numbers(block.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    numbers.resize(first.keep(values, numbers));
    for (const std::uint32_t number : numbers) kept.of_blocks.push_back(block[number]);
    first.add_to_batch(static_cast<std::uint32_t>(numbers.size()));
  }
  for (const std::uint32_t number : first.keep_of_batch()) {
    kept.of_batch.push_back(kept.of_blocks[number]);
  }
  EXPECT_EQ(first.keep_of_batch().size(), kept.of_batch.size());
  return kept;
}

// Which of the rows are the first ones is open where rows are equal in the order.
void expect_first(const Wanted_first &wanted, std::vector<Row> rows, std::vector<Row> kept) {
  const auto before = [&](const Row &left, const Row &right) {
    return compare(wanted, left, right) < 0;
  };
  std::ranges::sort(rows, before);
  std::ranges::sort(kept, before);
  const std::size_t wanted_rows = std::min<std::size_t>(wanted.rows, rows.size());
  ASSERT_GE(kept.size(), wanted_rows);
  for (std::size_t i = 0; i < wanted_rows; ++i) {
    ASSERT_TRUE(compare(wanted, rows[i], kept[i]) == 0) << "row " << i;
  }
}

std::vector<Row> random_rows(std::mt19937_64 &random, std::size_t count) {
  const auto below = [&](std::uint64_t end) { return random() % end; };
  // Many rows are equal; some texts are cut in a key, and begin alike.
  const std::string begin(below(70), 'x');
  std::vector<Row> rows(count);
  for (Row &row : rows) {
    if (below(8) != 0) {
      row.big = below(4) == 0 ? static_cast<std::int64_t>(random())
                              : static_cast<std::int64_t>(below(20)) - 10;
    }
    if (below(8) != 0) {
      row.wide =
          below(4) == 0
              ? static_cast<__int128>(static_cast<unsigned __int128>(random()) << 64 | random())
              : static_cast<__int128>(below(5)) - 2;
    }
    if (below(8) != 0) {
      row.floating = below(4) == 0 ? std::ldexp(1, static_cast<int>(below(200)) - 100)
                                   : static_cast<double>(below(5));
      if (below(2) == 0) row.floating = -*row.floating;
    }
    if (below(8) != 0) {
      row.text = below(2) == 0 ? begin : std::string();
      for (std::uint64_t i = below(4); i > 0; --i) {
        row.text->push_back("\0\1a\xFF"[below(4)]);
      }
    }
  }
  return rows;
}

TEST(FirstRows, HoldTheFirstOnes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> names{"big", "wide", "text", "floating"};
    std::ranges::shuffle(names, random);
    names.resize(1 + random() % names.size());
    Wanted_first wanted{static_cast<std::uint32_t>(1 + random() % 100), {}};
    for (const std::string &name : names) {
      wanted.order.push_back({column(name), random() % 2 == 0, random() % 2 == 0});
    }
    const std::vector<Row> rows = random_rows(random, random() % 400);
    const Kept kept = keep(wanted, rows);
    ASSERT_NO_FATAL_FAILURE(expect_first(wanted, rows, kept.of_blocks)) << "round " << round;
    ASSERT_NO_FATAL_FAILURE(expect_first(wanted, rows, kept.of_batch)) << "round " << round;
    const bool cut = std::ranges::find(names, "text") != names.end();
    ASSERT_LE(cut ? 0 : kept.of_batch.size(), wanted.rows) << "round " << round;
  }
}

// In the worst order each block has the first rows of all so far.
TEST(FirstRows, KeepsNoMoreOfABlockThanWanted) {
  std::vector<Row> rows(20 * rows_of_block);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].big = static_cast<std::int64_t>(i);
  const Wanted_first wanted{10, {{column("big"), true, false}}};
  const Kept kept = keep(wanted, rows);
  expect_first(wanted, rows, kept.of_batch);
  EXPECT_EQ(kept.of_blocks.size(), 20U * 10U);
  EXPECT_EQ(kept.of_batch.size(), 10U);
}

TEST(FirstRows, KeepsNoMoreOfEqualRowsThanWanted) {
  std::vector<Row> rows(20 * rows_of_block);
  for (Row &row : rows) row.text = "same";
  for (const bool descending : {false, true}) {
    const Wanted_first wanted{10, {{column("text"), descending, false}}};
    EXPECT_EQ(keep(wanted, rows).of_blocks.size(), 10U);
  }
}

TEST(FirstRows, KeepsAllThatMayBeEqualWhereTextsAreCut) {
  std::vector<Row> rows(3 * rows_of_block);
  for (Row &row : rows) row.text = std::string(1000, 'x');
  EXPECT_EQ(keep({10, {{column("text"), false, false}}}, rows).of_batch.size(), rows.size());
}

}  // namespace
}  // namespace pq
