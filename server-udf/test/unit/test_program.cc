#include "pure/program.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace pq {
namespace {

constexpr std::uint32_t rows_of_batch = 50;

using Value = std::variant<std::monostate, __int128, std::string>;

// Thrown where an expression has no value.
struct No_value {};

struct Column {
  std::string name;
  Program::Input input;
};

const std::vector<Column> columns{
    {"tiny", {Program::Kind::integer, Layout::int8, {-128, 127}}},
    {"int", {Program::Kind::integer, Layout::int32, {INT32_MIN, INT32_MAX}}},
    {"big", {Program::Kind::integer, Layout::int64, {INT64_MIN, INT64_MAX}}},
    {"price", {Program::Kind::integer, Layout::int64, {-999'999'999'999, 999'999'999'999}}},
    {"wide", {Program::Kind::integer, Layout::int128, {}}},
    {"date", {Program::Kind::integer, Layout::int32, {-719'162, 2'932'896}}},
    {"text", {Program::Kind::text, Layout::bytes, {}}},
    {"code", {Program::Kind::text, Layout::bytes, {}}},
};

Result<Program::Input> find_input(const std::string &name) {
  for (const Column &column : columns) {
    if (column.name == name) return column.input;
  }
  return fail(Code::bad_argument, "no column");
}

__int128 whole(std::uint64_t high, std::uint64_t low) {
  return static_cast<__int128>(static_cast<unsigned __int128>(high) << 64 | low);
}

// A makes expressions by chance, of at most some depth.
class Generator final {
 public:
  explicit Generator(std::uint64_t seed) : m_random(seed) {}

  std::uint64_t below(std::uint64_t end) { return m_random() % end; }

  Wanted_expression integer(int depth) {
    if (depth == 0 || below(5) == 0) return below(3) == 0 ? constant() : column(below(5));
    switch (below(6)) {
      case 0:
        return choice(&Generator::integer, depth);
      case 1: {
        Wanted_expression limit{Operator::within, {}, {}, {integer(depth - 1)}};
        const auto end = static_cast<__int128>(below(1'000'000));
        limit.numbers = {below(2) == 0 ? -end : whole(0x8000000000000000, below(9)),
                         below(2) == 0 ? end : whole(0x7FFFFFFFFFFFFFFF, below(9))};
        return limit;
      }
      case 2:
        return below(2) == 0 ? of_date(depth)
                             : Wanted_expression{Operator::length, {}, {}, {text(depth - 1)}};
      default: {
        constexpr std::array operators{Operator::add,          Operator::subtract,
                                       Operator::multiply,     Operator::divide,
                                       Operator::modulo,       Operator::divide_half_up,
                                       Operator::floor_divide, Operator::floor_modulo};
        return {operators[below(operators.size())],
                {},
                {},
                {integer(depth - 1), below(3) == 0 ? constant() : integer(depth - 1)}};
      }
    }
  }

  Wanted_expression truth(int depth) {
    if (depth == 0) return {Operator::is_null, {}, {}, {column(below(columns.size()))}};
    switch (below(7)) {
      case 0:
        return {Operator::negation, {}, {}, {truth(depth - 1)}};
      case 1:
      case 2:
        return {below(2) == 0 ? Operator::conjunction : Operator::disjunction,
                {},
                {},
                {truth(depth - 1), truth(depth - 1), truth(depth - 1)}};
      case 3:
        return choice(&Generator::truth, depth);
      case 4: {
        constexpr std::array<const char *, 9> patterns{"",    "%",          "a%",    "%b", "_",
                                                       "a_%", "%\xC3\xA9%", "%a%b%", "!%_"};
        const bool escapes = below(2) == 0;
        Wanted_expression like{Operator::like, {patterns[below(patterns.size())]}, {}, {}};
        if (escapes) like.texts.emplace_back("!");
        like.operands.push_back(text(depth - 1));
        return like;
      }
      default: {
        constexpr std::array operators{Operator::equal,   Operator::not_equal,
                                       Operator::less,    Operator::less_or_equal,
                                       Operator::greater, Operator::greater_or_equal};
        const Operator op = operators[below(operators.size())];
        if (below(3) == 0) return {op, {}, {}, {text(depth - 1), text(depth - 1)}};
        return {op, {}, {}, {integer(depth - 1), integer(depth - 1)}};
      }
    }
  }

  Wanted_expression text(int depth) {
    if (depth == 0 || below(3) == 0) {
      return below(3) == 0 ? Wanted_expression{Operator::text, {random_text()}, {}, {}}
                           : column(6 + below(2));
    }
    if (below(2) == 0) return choice(&Generator::text, depth);
    Wanted_expression part{Operator::substring, {}, {}, {text(depth - 1)}};
    part.numbers.push_back(static_cast<__int128>(below(9)) - 4);
    if (below(2) == 0) part.numbers.push_back(static_cast<__int128>(below(6)) - 1);
    return part;
  }

  std::string random_text() {
    constexpr std::array<const char *, 6> characters{"a", "b", "\xC3\xA9",
                                                     "%", "_", "\xF0\x9F\x90\xAC"};
    std::string text;
    for (std::uint64_t i = below(5); i > 0; --i) text += characters[below(characters.size())];
    return text;
  }

  Value random_value(const Column &column) {
    if (below(6) == 0) return {};
    if (column.input.kind == Program::Kind::text) return random_text();
    const Interval &interval = column.input.interval;
    if (below(8) == 0) return interval.low;
    if (below(8) == 0) return interval.high;
    const __int128 small = static_cast<__int128>(below(40)) - 20;
    if (below(2) == 0) return small;
    if (column.name == "wide") return whole(m_random(), m_random()) >> below(100);
    const auto span = static_cast<unsigned __int128>(interval.high - interval.low) + 1;
    return interval.low + static_cast<__int128>(m_random() % span);
  }

 private:
  Wanted_expression column(std::uint64_t number) {
    return {Operator::column, {columns[number].name}, {}, {}};
  }

  Wanted_expression constant() {
    const __int128 number = below(4) == 0 ? whole(m_random(), m_random()) >> below(127)
                                          : static_cast<__int128>(below(21)) - 10;
    return {Operator::integer, {}, {number}, {}};
  }

  Wanted_expression of_date(int depth) {
    constexpr std::array operators{Operator::year, Operator::month, Operator::day,
                                   Operator::day_of_year, Operator::add_months};
    Wanted_expression date{operators[below(operators.size())], {}, {}, {column(5)}};
    if (below(2) == 0) {
      Wanted_expression days{Operator::within, {}, {-3'000'000, 3'000'000}, {integer(depth - 1)}};
      date.operands = {std::move(days)};
    }
    if (date.op == Operator::add_months) date.numbers = {static_cast<__int128>(below(3000)) - 1500};
    return date;
  }

  Wanted_expression choice(Wanted_expression (Generator::*make)(int), int depth) {
    switch (below(3)) {
      case 0:
        return {Operator::choose,
                {},
                {},
                {truth(depth - 1), (this->*make)(depth - 1), (this->*make)(depth - 1)}};
      case 1:
        return {Operator::null_if, {}, {}, {truth(depth - 1), (this->*make)(depth - 1)}};
      default:
        return {Operator::coalesce,
                {},
                {},
                {(this->*make)(depth - 1), (this->*make)(depth - 1), (this->*make)(depth - 1)}};
    }
  }

  std::mt19937_64 m_random;
};

// Evaluates an expression for one row in the plainest way. All operands are evaluated.
class Oracle final {
 public:
  explicit Oracle(const std::vector<Value> &row) : m_row(row) {}

  Value evaluate(const Wanted_expression &expression) const {
    std::vector<Value> operands;
    for (const Wanted_expression &operand : expression.operands)
      operands.push_back(evaluate(operand));
    const auto is_null = [&](std::size_t i) { return operands[i].index() == 0; };
    const auto is_true = [&](std::size_t i) {
      return !is_null(i) && std::get<1>(operands[i]) == 1;
    };
    const auto is_false = [&](std::size_t i) {
      return !is_null(i) && std::get<1>(operands[i]) == 0;
    };
    const auto any = [&](auto test) {
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (test(i)) return true;
      }
      return false;
    };
    switch (expression.op) {
      case Operator::column:
        for (std::size_t i = 0; i < columns.size(); ++i) {
          if (columns[i].name == expression.texts.front()) return m_row[i];
        }
        return {};
      case Operator::integer:
        return expression.numbers.front();
      case Operator::text:
        return expression.texts.front();
      case Operator::conjunction:
        if (any(is_false)) return __int128{0};
        return any(is_null) ? Value() : Value(__int128{1});
      case Operator::disjunction:
        if (any(is_true)) return __int128{1};
        return any(is_null) ? Value() : Value(__int128{0});
      case Operator::is_null:
        return __int128{is_null(0)};
      case Operator::choose:
        return operands[is_true(0) ? 1 : 2];
      case Operator::null_if:
        return is_true(0) ? Value() : operands[1];
      case Operator::coalesce:
        for (const Value &operand : operands) {
          if (operand.index() != 0) return operand;
        }
        return {};
      default:
        break;
    }
    if (any(is_null)) return {};
    switch (expression.op) {
      case Operator::negation:
        return __int128{is_false(0)};
      case Operator::equal:
        return __int128{operands[0] == operands[1]};
      case Operator::not_equal:
        return __int128{operands[0] != operands[1]};
      case Operator::less:
        return __int128{operands[0] < operands[1]};
      case Operator::less_or_equal:
        return __int128{operands[0] <= operands[1]};
      case Operator::greater:
        return __int128{operands[0] > operands[1]};
      case Operator::greater_or_equal:
        return __int128{operands[0] >= operands[1]};
      case Operator::length:
        return static_cast<__int128>(characters(std::get<2>(operands[0])).size());
      case Operator::substring:
        return substring(characters(std::get<2>(operands[0])), expression.numbers);
      case Operator::like:
        return __int128{like(characters(std::get<2>(operands[0])), pattern(expression.texts))};
      case Operator::within: {
        const __int128 value = std::get<1>(operands[0]);
        if (value < expression.numbers[0] || value > expression.numbers[1]) throw No_value();
        return value;
      }
      case Operator::year:
      case Operator::month:
      case Operator::day:
      case Operator::day_of_year:
      case Operator::add_months:
        return of_date(expression, std::get<1>(operands[0]));
      default:
        return calculate(expression.op, std::get<1>(operands[0]), std::get<1>(operands[1]));
    }
  }

 private:
  static Value calculate(Operator op, __int128 a, __int128 b) {
    __int128 result = 0;
    switch (op) {
      case Operator::add:
        if (__builtin_add_overflow(a, b, &result)) throw No_value();
        return result;
      case Operator::subtract:
        if (__builtin_sub_overflow(a, b, &result)) throw No_value();
        return result;
      case Operator::multiply:
        if (__builtin_mul_overflow(a, b, &result)) throw No_value();
        return result;
      default:
        return divide(op, a, b);
    }
  }

  static Value divide(Operator op, __int128 a, __int128 b) {
    if (b == 0) throw No_value();
    if (b == -1) {
      if (op == Operator::modulo || op == Operator::floor_modulo) return __int128{0};
      if (a == int128_min) throw No_value();
      return -a;
    }
    const __int128 rest = a % b;
    const bool has_other_sign = rest != 0 && (rest < 0) != (b < 0);
    const __int128 down = a / b - (has_other_sign ? 1 : 0);
    const __int128 above = has_other_sign ? rest + b : rest;
    switch (op) {
      case Operator::divide:
        return a / b;
      case Operator::modulo:
        return a % b;
      case Operator::floor_divide:
        return down;
      case Operator::floor_modulo:
        return above;
      default: {
        // Up if the distance from the quotient below is at least half of the divisor.
        using U = unsigned __int128;
        const U distance = above < 0 ? U{0} - static_cast<U>(above) : static_cast<U>(above);
        const U divisor = b < 0 ? U{0} - static_cast<U>(b) : static_cast<U>(b);
        const bool is_half = distance == divisor - distance;
        const bool is_more = distance > divisor - distance;
        return down + ((is_more || (is_half && down >= 0)) && distance != 0 ? 1 : 0);
      }
    }
  }

  static Value of_date(const Wanted_expression &expression, __int128 value) {
    using namespace std::chrono;
    const sys_days day{days(static_cast<int>(value))};
    const year_month_day date(day);
    switch (expression.op) {
      case Operator::year:
        return static_cast<__int128>(static_cast<int>(date.year()));
      case Operator::month:
        return static_cast<__int128>(static_cast<unsigned>(date.month()));
      case Operator::day:
        return static_cast<__int128>(static_cast<unsigned>(date.day()));
      case Operator::day_of_year:
        return static_cast<__int128>((day - sys_days(date.year() / January / 1)).count() + 1);
      default: {
        const auto moved = date + months(static_cast<int>(expression.numbers.front()));
        const auto last = moved.year() / moved.month() / std::chrono::last;
        const auto result = moved.ok() ? sys_days(moved) : sys_days(last);
        return static_cast<__int128>(result.time_since_epoch().count());
      }
    }
  }

  static std::vector<std::string> characters(const std::string &text) {
    std::vector<std::string> all;
    for (const char byte : text) {
      if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80) all.emplace_back();
      all.back() += byte;
    }
    return all;
  }

  static Value substring(const std::vector<std::string> &text,
                         const std::vector<__int128> &numbers) {
    auto start = static_cast<std::ptrdiff_t>(numbers.front());
    if (start < 0) start += std::ssize(text) + 1;
    std::string result;
    if (start <= 0) return result;
    const auto length =
        numbers.size() > 1 ? static_cast<std::ptrdiff_t>(numbers.back()) : std::ssize(text);
    for (std::ptrdiff_t i = start - 1; i < std::ssize(text) && i < start - 1 + length; ++i) {
      result += text[static_cast<std::size_t>(i)];
    }
    return result;
  }

  // Characters that stand for themselves have a mark before them.
  static std::vector<std::string> pattern(const std::vector<std::string> &texts) {
    std::vector<std::string> parts;
    bool is_escaped = false;
    for (const std::string &character : characters(texts.front())) {
      if (!is_escaped && texts.size() > 1 && character == texts.back()) {
        is_escaped = true;
        continue;
      }
      const bool is_special = !is_escaped && (character == "%" || character == "_");
      parts.push_back(is_special ? character : "=" + character);
      is_escaped = false;
    }
    return parts;
  }

  static bool like(std::span<const std::string> text, std::span<const std::string> pattern) {
    if (pattern.empty()) return text.empty();
    if (pattern.front() == "%") {
      return like(text, pattern.subspan(1)) || (!text.empty() && like(text.subspan(1), pattern));
    }
    return !text.empty() && (pattern.front() == "_" || pattern.front() == "=" + text.front()) &&
           like(text.subspan(1), pattern.subspan(1));
  }

  const std::vector<Value> &m_row;
};

std::vector<Layout> layouts_of(const Program &program) { return program.input_layouts(); }

void append(Column_buffer &column, std::uint32_t row, const Value &value) {
  if (column.layout() == Layout::bytes) {
    const auto *text = std::get_if<std::string>(&value);
    column.append_bytes(row, 1, [&](std::uint32_t) {
      return text == nullptr ? std::string_view() : std::string_view(*text);
    });
    return;
  }
  if (value.index() == 0) return column.set_null(row);
  const __int128 number = std::get<1>(value);
  column.set_bytes(row, reinterpret_cast<const char *>(&number));
}

Column_batch batch_of(const Program &program, const std::vector<std::vector<Value>> &rows) {
  Column_batch batch(layouts_of(program), rows_of_batch);
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = 0; i < program.columns().size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].name == program.columns()[i]) append(batch.columns()[i], row, rows[row][j]);
      }
    }
  }
  batch.end_rows(static_cast<std::uint32_t>(rows.size()));
  return batch;
}

Value value_at(const Column_buffer &column, std::uint32_t row) {
  if (column.is_null(row)) return {};
  if (column.layout() == Layout::bytes) return std::string(column.bytes(row));
  __int128 number = 0;
  std::memcpy(&number, column.values() + row * sizeof(number), sizeof(number));
  return number;
}

std::string described(const Value &value) {
  switch (value.index()) {
    case 1:
      return std::to_string(static_cast<double>(std::get<1>(value)));
    case 2:
      return "'" + std::get<2>(value) + "'";
    default:
      return "NULL";
  }
}

TEST(Program, AgreesWithEachRowEvaluatedAlone) {
  std::size_t values = 0;
  std::size_t failures = 0;
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    Generator generator(seed);
    std::vector<Wanted_expression> expressions{generator.integer(3), generator.truth(3),
                                               generator.text(3)};
    if (seed % 2 == 0) expressions.erase(expressions.begin());
    const auto program = Program::compile(expressions, find_input);
    ASSERT_TRUE(program) << program.error().message;
    std::vector<std::vector<Value>> rows(1 + generator.below(rows_of_batch));
    for (auto &row : rows) {
      for (const Column &column : columns) row.push_back(generator.random_value(column));
    }
    Program::Values evaluated(*program, rows_of_batch);
    const Column_batch inputs = batch_of(*program, rows);
    const bool has_values = evaluated.evaluate(inputs);
    bool expected_values = true;
    std::vector<std::vector<Value>> expected;
    for (const auto &row : rows) {
      expected.emplace_back();
      for (const Wanted_expression &expression : expressions) {
        try {
          expected.back().push_back(Oracle(row).evaluate(expression));
        } catch (const No_value &) {
          expected_values = false;
        }
      }
    }
    ASSERT_EQ(has_values, expected_values) << "seed " << seed;
    if (!has_values) {
      ++failures;
      continue;
    }
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      const Layout layout =
          program->kind(i) == Program::Kind::text ? Layout::bytes : Layout::int128;
      Column_buffer column(layout, rows_of_batch);
      evaluated.append_to(column, 0, i);
      for (std::uint32_t row = 0; row < rows.size(); ++row, ++values) {
        const Value value = value_at(column, row);
        ASSERT_TRUE(value == expected[row][i])
            << "seed " << seed << ", row " << row << ": " << described(value) << ", not "
            << described(expected[row][i]) << " of operator "
            << static_cast<int>(expressions[i].op);
      }
    }
  }
  EXPECT_GT(values, 50'000U);
  EXPECT_GT(failures, 250U);
}

}  // namespace
}  // namespace pq
