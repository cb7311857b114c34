#include "pure/expression.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "pure/arguments.h"
#include "pure/utf8.h"

namespace pq {

namespace {

using namespace arguments;

constexpr std::string_view an_expression = "an expression";

constexpr std::int64_t most_months = 1'000'000;

// What stands behind the operator: operands first, then texts or numbers, which are strings.
struct Form {
  std::string_view name;
  Operator op;
  std::size_t least_operands;
  std::size_t most_operands;
  std::size_t least_strings = 0;
  std::size_t most_strings = 0;
};

constexpr std::size_t any = max_expression_nodes;

constexpr std::array forms{
    Form{"column", Operator::column, 0, 0, 1, 1},
    Form{"integer", Operator::integer, 0, 0, 1, 1},
    Form{"text", Operator::text, 0, 0, 1, 1},
    Form{"+", Operator::add, 2, 2},
    Form{"-", Operator::subtract, 2, 2},
    Form{"*", Operator::multiply, 2, 2},
    Form{"divide", Operator::divide, 2, 2},
    Form{"modulo", Operator::modulo, 2, 2},
    Form{"divide_half_up", Operator::divide_half_up, 2, 2},
    Form{"floor_divide", Operator::floor_divide, 2, 2},
    Form{"floor_modulo", Operator::floor_modulo, 2, 2},
    Form{"within", Operator::within, 1, 1, 2, 2},
    Form{"=", Operator::equal, 2, 2},
    Form{"<>", Operator::not_equal, 2, 2},
    Form{"<", Operator::less, 2, 2},
    Form{"<=", Operator::less_or_equal, 2, 2},
    Form{">", Operator::greater, 2, 2},
    Form{">=", Operator::greater_or_equal, 2, 2},
    Form{"and", Operator::conjunction, 2, any},
    Form{"or", Operator::disjunction, 2, any},
    Form{"not", Operator::negation, 1, 1},
    Form{"is_null", Operator::is_null, 1, 1},
    Form{"if", Operator::choose, 3, 3},
    Form{"null_if", Operator::null_if, 2, 2},
    Form{"coalesce", Operator::coalesce, 2, any},
    Form{"year", Operator::year, 1, 1},
    Form{"month", Operator::month, 1, 1},
    Form{"day", Operator::day, 1, 1},
    Form{"day_of_year", Operator::day_of_year, 1, 1},
    Form{"add_months", Operator::add_months, 1, 1, 1, 1},
    Form{"like", Operator::like, 1, 1, 1, 2},
    Form{"length", Operator::length, 1, 1},
    Form{"substring", Operator::substring, 1, 1, 1, 2},
};

bool has_texts(Operator op) {
  return op == Operator::column || op == Operator::text || op == Operator::like;
}

std::optional<__int128> integer_of(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  __int128 value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const int digit = is_negative ? '0' - c : c - '0';
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value)) {
      return std::nullopt;
    }
  }
  return value;
}

Result<void> check_texts(const Wanted_expression &expression) {
  switch (expression.op) {
    case Operator::column: {
      auto name = check_identifier("column", expression.texts.front());
      return name ? Result<void>() : std::unexpected(name.error());
    }
    case Operator::text:
      if (expression.texts.front().size() <= max_constant_bytes) return {};
      return bad(an_expression, "must have texts of at most 4096 bytes");
    case Operator::like:
      if (expression.texts.front().size() > max_pattern_bytes) {
        return bad(an_expression, "must have patterns of at most 256 bytes");
      }
      if (expression.texts.size() < 2 || utf8_length(expression.texts.back()) == 1U) return {};
      return bad(an_expression, "must have one character as the escape of a pattern");
    default:
      return {};
  }
}

Result<void> check_numbers(const Wanted_expression &expression) {
  const auto &numbers = expression.numbers;
  const auto is_within = [](__int128 number, std::int64_t most) {
    return number >= -most && number <= most;
  };
  switch (expression.op) {
    case Operator::within:
      if (numbers.front() <= numbers.back()) return {};
      return bad(an_expression, "must have a low end that is not above the high one in within");
    case Operator::add_months:
      if (is_within(numbers.front(), most_months)) return {};
      return bad(an_expression, "must add at most 1000000 months");
    case Operator::substring:
      if (std::ranges::all_of(numbers, [&](auto one) { return is_within(one, INT32_MAX); })) {
        return {};
      }
      return bad(an_expression, "must have places in substring of at most 2147483647");
    default:
      return {};
  }
}

Result<void> read_string(Wanted_expression &expression, const Json &json) {
  if (json.kind != Json::Kind::string) {
    return bad(an_expression, "must have its names, texts and numbers as strings");
  }
  if (has_texts(expression.op)) {
    expression.texts.push_back(json.text);
    return {};
  }
  const auto number = integer_of(json.text);
  if (!number) {
    return bad(an_expression,
               "must have integers of at most 128 bits, not '" + printable(json.text) + "'");
  }
  expression.numbers.push_back(*number);
  return {};
}

Result<const Form *> form_of(const Json &json) {
  if (json.kind != Json::Kind::array || json.items.empty() ||
      json.items.front().kind != Json::Kind::string) {
    return bad(an_expression, "must be an array that begins with the name of its operator");
  }
  const std::string &name = json.items.front().text;
  const auto *form = std::ranges::find(forms, name, &Form::name);
  if (form != forms.end()) return form;
  return bad(an_expression, "has no operator '" + printable(name) + "'");
}

}  // namespace

// Expressions are nested at most as deep as JSON may be.
Result<Wanted_expression> read_expression(const Json &json, std::size_t &nodes) {
  const auto form = form_of(json);
  if (!form) return std::unexpected(form.error());
  const auto &[name, op, least_operands, most_operands, least_strings, most_strings] = **form;
  if (++nodes > max_expression_nodes) {
    return bad("options.expressions", "and options.where must have at most 1024 operators in all");
  }
  const std::size_t given = json.items.size() - 1;
  if (given < least_operands + least_strings || given > most_operands + most_strings) {
    return bad(an_expression, "has too many or too few operands of '" + std::string(name) + "'");
  }
  Wanted_expression expression{op};
  for (std::size_t i = 1; i < json.items.size(); ++i) {
    if (i > most_operands) {
      if (auto read = read_string(expression, json.items[i]); !read) {
        return std::unexpected(read.error());
      }
      continue;
    }
    auto operand = read_expression(json.items[i], nodes);
    if (!operand) return operand;
    expression.operands.push_back(std::move(*operand));
  }
  auto checked = check_texts(expression);
  if (checked) checked = check_numbers(expression);
  if (!checked) return std::unexpected(checked.error());
  return expression;
}

}  // namespace pq
