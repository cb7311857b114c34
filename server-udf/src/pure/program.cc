#include "pure/program.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "pure/calendar.h"
#include "pure/floating_order.h"
#include "pure/integer_division.h"

namespace pq {

namespace {

// The text of a LIKE that is longer would take long to compare.
constexpr std::size_t most_compared_bytes = 64 * 1024;

using Vector = Program::Values::Vector;

bool is_null(const Vector &vector, std::size_t row) {
  return vector.has_nulls && vector.nulls[row] != 0;
}

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80; }

std::int64_t length_of(std::string_view text) {
  return std::ranges::count_if(text, [](char byte) { return !continues_character(byte); });
}

// Where the character of that number, from 0 on, begins.
std::size_t place_of(std::string_view text, std::int64_t number) {
  std::size_t at = 0;
  for (; at < text.size() && (number > 0 || continues_character(text[at])); ++at) {
    if (!continues_character(text[at])) --number;
  }
  return number > 0 ? text.size() : at;
}

// Counted from 1 on, or from the end if it is below 0.
std::string_view substring(std::string_view text, const std::vector<__int128> &numbers) {
  auto start = static_cast<std::int64_t>(numbers.front());
  if (start < 0) start += length_of(text) + 1;
  if (start <= 0) return text.substr(0, 0);
  text.remove_prefix(place_of(text, start - 1));
  if (numbers.size() < 2) return text;
  const auto length = static_cast<std::int64_t>(numbers.back());
  return text.substr(0, length <= 0 ? 0 : place_of(text, length));
}

// Calls `use` with a comparison whose operator the compiler knows.
template <class Use>
void with_comparison(Operator op, Use use) {
  switch (op) {
    case Operator::equal:
      return use([](const auto &a, const auto &b) { return a == b; });
    case Operator::not_equal:
      return use([](const auto &a, const auto &b) { return a != b; });
    case Operator::less:
      return use([](const auto &a, const auto &b) { return a < b; });
    case Operator::less_or_equal:
      return use([](const auto &a, const auto &b) { return a <= b; });
    case Operator::greater:
      return use([](const auto &a, const auto &b) { return a > b; });
    default:
      return use([](const auto &a, const auto &b) { return a >= b; });
  }
}

template <class T>
using Unsigned = typename division::Unsigned<T>::Type;

// Sets each result to what the operation gives, by arithmetic that wraps around.
template <class T, class A, class B, class R, class Operation>
void for_pairs(std::uint32_t rows, const A *a, const B *b, R *result, Operation operation) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    result[row] = static_cast<R>(operation(static_cast<T>(a[row]), static_cast<T>(b[row])));
  }
}

bool overflows(Operator op, Int128 a, Int128 b) {
  Int128 result = 0;
  switch (op) {
    case Operator::add:
      return __builtin_add_overflow(a, b, &result);
    case Operator::subtract:
      return __builtin_sub_overflow(a, b, &result);
    case Operator::multiply:
      return __builtin_mul_overflow(a, b, &result);
    case Operator::modulo:
    case Operator::floor_modulo:
      return b == 0;
    default:
      return b == 0 || (b == -1 && a == int128_min);
  }
}

bool is_division(Operator op) {
  return op != Operator::add && op != Operator::subtract && op != Operator::multiply;
}

// The values are those of valid rows; others are 0 or what arithmetic made of it.
template <class A, class B, class R>
void calculate_all(Operator op, std::uint32_t rows, const A *a, const B *b, R *result) {
  constexpr bool is_narrow = sizeof(A) + sizeof(B) + sizeof(R) == 3 * sizeof(std::int64_t);
  using T = std::conditional_t<is_narrow, std::int64_t, __int128>;
  using U = Unsigned<T>;
  switch (op) {
    case Operator::add:
      return for_pairs<U>(rows, a, b, result, [](U x, U y) { return static_cast<T>(x + y); });
    case Operator::subtract:
      return for_pairs<U>(rows, a, b, result, [](U x, U y) { return static_cast<T>(x - y); });
    case Operator::multiply:
      if constexpr (sizeof(A) + sizeof(B) == 2 * sizeof(std::int64_t) && !is_narrow) {
        // One instruction.
        return for_pairs<T>(rows, a, b, result, [](T x, T y) { return x * y; });
      } else {
        return for_pairs<U>(rows, a, b, result, [](U x, U y) { return static_cast<T>(x * y); });
      }
    default:
      return for_pairs<T>(rows, a, b, result,
                          [op](T x, T y) { return y == 0 ? T{0} : division::divide(op, x, y); });
  }
}

template <class T>
void load_integers(const Column_buffer &column, std::uint32_t rows, auto *to) {
  const char *values = column.values();
  for (std::uint32_t row = 0; row < rows; ++row) {
    T value;
    std::memcpy(&value, values + row * sizeof(T), sizeof(T));
    to[row] = static_cast<std::remove_pointer_t<decltype(to)>>(value);
  }
}

// Both zeros are equal in an order of rows.
template <class T>
T order_of_double(T bits) {
  return bits == INT64_MIN ? T{0} : floating_order(bits);
}

void load_layout(const Column_buffer &column, std::uint32_t rows, auto *to) {
  switch (column.layout()) {
    case Layout::int8:
      return load_integers<std::int8_t>(column, rows, to);
    case Layout::int16:
      return load_integers<std::int16_t>(column, rows, to);
    case Layout::int32:
      return load_integers<std::int32_t>(column, rows, to);
    case Layout::int64:
      return load_integers<std::int64_t>(column, rows, to);
    case Layout::int128:
      return load_integers<__int128>(column, rows, to);
    case Layout::bytes:
      return;
  }
}

}  // namespace

Program::Values::Values(const Program &program, std::uint32_t most_rows)
    : m_program(program), m_vectors(program.m_nodes.size()) {
  for (std::size_t i = 0; i < m_vectors.size(); ++i) {
    const Node &node = program.m_nodes[i];
    Vector &vector = m_vectors[i];
    vector.nulls.resize(most_rows);
    if (node.kind == Kind::text) {
      vector.texts.resize(most_rows);
      if (node.op == Operator::text) std::ranges::fill(vector.texts, node.texts.front());
    } else if (node.is_narrow()) {
      vector.narrow.resize(most_rows);
    } else {
      vector.wide.resize(most_rows);
    }
    if (node.op != Operator::integer) continue;
    with_results(node, vector, [&]<class T>(T *values) {
      std::fill_n(values, most_rows, static_cast<T>(node.numbers.front()));
    });
  }
}

bool Program::Values::evaluate(const Column_batch &inputs) {
  m_rows = inputs.rows();
  m_failed = false;
  for (std::uint32_t node = 0; node < m_vectors.size(); ++node) {
    evaluate(node, inputs);
    if (m_failed) return false;
  }
  return true;
}

void Program::Values::evaluate(std::uint32_t node_number, const Column_batch &inputs) {
  const Node &node = m_program.m_nodes[node_number];
  Vector &result = m_vectors[node_number];
  switch (node.op) {
    case Operator::column:
      return load(node, inputs, result);
    case Operator::integer:
    case Operator::text:
      return;
    case Operator::within:
      return limit(node, result);
    case Operator::equal:
    case Operator::not_equal:
    case Operator::less:
    case Operator::less_or_equal:
    case Operator::greater:
    case Operator::greater_or_equal:
      return compare(node, result);
    case Operator::conjunction:
    case Operator::disjunction:
    case Operator::negation:
    case Operator::is_null:
      return connect(node, result);
    case Operator::choose:
    case Operator::null_if:
    case Operator::coalesce:
      return choose(node, result);
    case Operator::year:
    case Operator::month:
    case Operator::day:
    case Operator::day_of_year:
    case Operator::add_months:
      return take_from_date(node, result);
    case Operator::like:
    case Operator::length:
    case Operator::substring:
      return take_from_text(node, result);
    default:
      return calculate(node, result);
  }
}

const Vector &Program::Values::operand(const Node &node, std::size_t which) const {
  return m_vectors[node.operands[which]];
}

bool Program::Values::is_narrow(const Node &node, std::size_t which) const {
  return m_program.m_nodes[node.operands[which]].is_narrow();
}

template <class Use>
void Program::Values::with_integers(const Node &node, std::size_t which, Use use) const {
  const Vector &vector = operand(node, which);
  is_narrow(node, which) ? use(vector.narrow.data()) : use(vector.wide.data());
}

template <class Use>
void Program::Values::with_results(const Node &node, Vector &result, Use use) {
  node.is_narrow() ? use(result.narrow.data()) : use(result.wide.data());
}

void Program::Values::load(const Node &node, const Column_batch &inputs, Vector &result) {
  const Column_buffer &column = inputs.columns()[node.place];
  result.has_nulls = column.nulls() > 0;
  if (result.has_nulls) {
    for (std::uint32_t row = 0; row < m_rows; ++row) result.nulls[row] = column.is_null(row);
  }
  if (node.kind == Kind::text) {
    for (std::uint32_t row = 0; row < m_rows; ++row) result.texts[row] = column.bytes(row);
    return;
  }
  with_results(node, result, [&]<class T>(T *values) {
    load_layout(column, m_rows, values);
    if (node.kind == Kind::floating) {
      std::transform(values, values + m_rows, values, order_of_double<T>);
    }
    const auto low = static_cast<T>(node.interval.low);
    const auto high = static_cast<T>(node.interval.high);
    bool is_outside = false;
    for (std::uint32_t row = 0; row < m_rows; ++row) {
      is_outside |= (values[row] < low || values[row] > high) && !is_null(result, row);
    }
    m_failed = m_failed || is_outside;
  });
}

void Program::Values::take_nulls(const Node &node, Vector &result) const {
  result.has_nulls = false;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const Vector &from = operand(node, i);
    if (!from.has_nulls) continue;
    for (std::uint32_t row = 0; row < m_rows; ++row) {
      result.nulls[row] = from.nulls[row] | (result.has_nulls ? result.nulls[row] : 0);
    }
    result.has_nulls = true;
  }
}

void Program::Values::calculate(const Node &node, Vector &result) {
  take_nulls(node, result);
  with_integers(node, 0, [&](const auto *a) {
    with_integers(node, 1, [&](const auto *b) {
      if (node.interval.overflows || is_division(node.op)) {
        for (std::uint32_t row = 0; row < m_rows; ++row) {
          m_failed = m_failed || (overflows(node.op, a[row], b[row]) && !is_null(result, row));
        }
      }
      with_results(node, result,
                   [&](auto *values) { calculate_all(node.op, m_rows, a, b, values); });
    });
  });
}

void Program::Values::limit(const Node &node, Vector &result) {
  take_nulls(node, result);
  with_integers(node, 0, [&]<class A>(const A *a) {
    with_results(node, result, [&]<class T>(T *values) {
      for (std::uint32_t row = 0; row < m_rows; ++row) {
        const bool is_outside = a[row] < node.numbers.front() || a[row] > node.numbers.back();
        m_failed = m_failed || (is_outside && !is_null(result, row));
        values[row] = static_cast<T>(a[row]);
      }
    });
  });
}

// A truth value is 0 where there is none.
void Program::Values::compare(const Node &node, Vector &result) const {
  take_nulls(node, result);
  const auto compare_all = [&](const auto *a, const auto *b) {
    with_comparison(node.op, [&](auto comparison) {
      for (std::uint32_t row = 0; row < m_rows; ++row) {
        result.narrow[row] = comparison(a[row], b[row]) ? 1 : 0;
      }
    });
  };
  if (m_program.m_nodes[node.operands.front()].kind == Kind::text) {
    compare_all(operand(node, 0).texts.data(), operand(node, 1).texts.data());
  } else {
    with_integers(node, 0, [&](const auto *a) {
      with_integers(node, 1, [&](const auto *b) { compare_all(a, b); });
    });
  }
  if (!result.has_nulls) return;
  for (std::uint32_t row = 0; row < m_rows; ++row) {
    if (result.nulls[row] != 0) result.narrow[row] = 0;
  }
}

void Program::Values::connect(const Node &node, Vector &result) const {
  const Vector &a = operand(node, 0);
  const Vector &b = operand(node, node.operands.size() - 1);
  result.has_nulls = node.op != Operator::is_null && (a.has_nulls || b.has_nulls);
  for (std::uint32_t row = 0; row < m_rows; ++row) {
    const bool a_null = is_null(a, row);
    const bool b_null = is_null(b, row);
    bool value = false;
    bool null = false;
    if (node.op == Operator::is_null) {
      value = a_null;
    } else {
      const bool a_true = a.narrow[row] != 0;
      const bool b_true = b.narrow[row] != 0;
      if (node.op == Operator::negation) {
        value = !a_true && !a_null;
        null = a_null;
      } else if (node.op == Operator::disjunction) {
        value = a_true || b_true;
        null = (a_null || b_null) && !value;
      } else {
        value = a_true && b_true;
        null = (a_null || b_null) && (a_null || a_true) && (b_null || b_true);
      }
    }
    result.narrow[row] = value ? 1 : 0;
    if (result.has_nulls) result.nulls[row] = null ? 1 : 0;
  }
}

// Takes each row's value from one operand, or none.
void Program::Values::choose(const Node &node, Vector &result) const {
  constexpr std::size_t nothing = SIZE_MAX;
  const Vector &first = operand(node, 0);
  const auto chosen = [&](std::uint32_t row) -> std::size_t {
    if (node.op == Operator::coalesce) return is_null(first, row) ? 1 : 0;
    const bool is_true = first.narrow[row] != 0;
    if (node.op == Operator::null_if) return is_true ? nothing : 1;
    return is_true ? 1 : 2;
  };
  result.has_nulls = true;
  for (std::uint32_t row = 0; row < m_rows; ++row) {
    const std::size_t which = chosen(row);
    const bool is_nothing = which == nothing || is_null(operand(node, which), row);
    result.nulls[row] = is_nothing ? 1 : 0;
    if (node.kind == Kind::text) {
      result.texts[row] = is_nothing ? std::string_view() : operand(node, which).texts[row];
      continue;
    }
    with_results(node, result, [&]<class T>(T *values) {
      values[row] = 0;
      if (is_nothing) return;
      with_integers(node, which,
                    [&](const auto *from) { values[row] = static_cast<T>(from[row]); });
    });
  }
}

void Program::Values::take_from_date(const Node &node, Vector &result) const {
  take_nulls(node, result);
  const std::vector<std::int64_t> &days = operand(node, 0).narrow;
  const auto take = [&](auto function) {
    for (std::uint32_t row = 0; row < m_rows; ++row) {
      result.narrow[row] = is_null(result, row) ? 0 : function(days[row]);
    }
  };
  switch (node.op) {
    case Operator::year:
      return take([](std::int64_t day) { return calendar::date_of(day).year; });
    case Operator::month:
      return take([](std::int64_t day) { return calendar::date_of(day).month; });
    case Operator::day:
      return take([](std::int64_t day) { return calendar::date_of(day).day; });
    case Operator::day_of_year:
      return take(calendar::day_of_year);
    default:
      return take([months = static_cast<std::int64_t>(node.numbers.front())](std::int64_t day) {
        return calendar::add_months(day, months);
      });
  }
}

void Program::Values::take_from_text(const Node &node, Vector &result) {
  take_nulls(node, result);
  const std::vector<std::string_view> &texts = operand(node, 0).texts;
  for (std::uint32_t row = 0; row < m_rows; ++row) {
    const std::string_view text = is_null(result, row) ? std::string_view() : texts[row];
    if (node.op == Operator::substring) {
      result.texts[row] = substring(text, node.numbers);
    } else if (node.op == Operator::length) {
      result.narrow[row] = length_of(text);
    } else if (text.size() > most_compared_bytes) {
      m_failed = true;
      return;
    } else {
      const bool matches = !is_null(result, row) && node.patterns.front().matches(text);
      result.narrow[row] = matches ? 1 : 0;
    }
  }
}

void Program::Values::append_to(Column_buffer &column, std::uint32_t first_row,
                                std::size_t expression) const {
  const std::uint32_t root = m_program.m_roots[expression];
  const Node &node = m_program.m_nodes[root];
  const Vector &vector = m_vectors[root];
  const bool may_be_null = vector.has_nulls;
  if (node.kind == Kind::text) {
    return column.append_bytes(first_row, m_rows, [&](std::uint32_t row) -> std::string_view {
      if (may_be_null && vector.nulls[row] != 0) return {};
      const std::string_view text = vector.texts[row];
      return text.data() == nullptr ? std::string_view("") : text;
    });
  }
  const auto append = [&]<class T>(T) {
    const auto set = [&](const auto *values) {
      for (std::uint32_t row = 0; row < m_rows; ++row) {
        column.set(first_row + row, static_cast<T>(values[row]));
      }
    };
    node.is_narrow() ? set(vector.narrow.data()) : set(vector.wide.data());
  };
  switch (column.layout()) {
    case Layout::int8:
      append(std::int8_t{});
      break;
    case Layout::int16:
      append(std::int16_t{});
      break;
    case Layout::int32:
      append(std::int32_t{});
      break;
    case Layout::int64:
      append(std::int64_t{});
      break;
    case Layout::int128:
    case Layout::bytes:
      append(__int128{});
      break;
  }
  if (!may_be_null) return;
  for (std::uint32_t row = 0; row < m_rows; ++row) {
    if (vector.nulls[row] != 0) column.set_null(first_row + row);
  }
}

std::uint32_t Program::Values::keep_true(std::span<std::uint32_t> rows) const {
  std::uint32_t kept = 0;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const auto is_true = [&](std::uint32_t root) { return m_vectors[root].narrow[at] != 0; };
    rows[kept] = rows[at];
    kept += std::ranges::all_of(m_program.m_roots, is_true) ? 1 : 0;
  }
  return kept;
}

}  // namespace pq
