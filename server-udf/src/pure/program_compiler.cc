#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "pure/arguments.h"
#include "pure/calendar.h"
#include "pure/integer_division.h"
#include "pure/program.h"

namespace pq {

namespace {

using Kind = Program::Kind;

constexpr Interval truth_interval{0, 1};
constexpr Interval day_interval{-calendar::most_days, calendar::most_days};

std::unexpected<Error> bad_operands(std::string_view rule) {
  return arguments::bad("an expression", rule);
}

Interval interval_of(Layout layout) {
  switch (layout) {
    case Layout::int8:
      return {INT8_MIN, INT8_MAX};
    case Layout::int16:
      return {INT16_MIN, INT16_MAX};
    case Layout::int32:
      return {INT32_MIN, INT32_MAX};
    case Layout::int64:
      return narrow_interval;
    case Layout::int128:
    case Layout::bytes:
      break;
  }
  return {};
}

// By a constant above 0 all quotients are monotonic.
Interval divided(Operator op, const Interval &a, const Interval &b) {
  const bool is_constant = b.low == b.high && b.low > 0;
  const bool is_rest = op == Operator::modulo || op == Operator::floor_modulo;
  if (!is_rest) {
    return is_constant
               ? Interval{division::divide(op, a.low, b.low), division::divide(op, a.high, b.low)}
               : intervals::quotient(a);
  }
  if (!is_constant) return intervals::remainder(b);
  const bool has_no_sign = op == Operator::floor_modulo || a.low >= 0;
  return {has_no_sign ? 0 : 1 - b.low, b.low - 1};
}

Interval of_date(Operator op, const Interval &days, Int128 months) {
  const auto low = static_cast<std::int64_t>(days.low);
  const auto high = static_cast<std::int64_t>(days.high);
  switch (op) {
    case Operator::year:
      return {calendar::date_of(low).year, calendar::date_of(high).year};
    case Operator::month:
      return {1, 12};
    case Operator::day:
      return {1, 31};
    case Operator::day_of_year:
      return {1, 366};
    default: {
      const auto added = static_cast<std::int64_t>(months);
      return {calendar::add_months(low, added), calendar::add_months(high, added)};
    }
  }
}

}  // namespace

class Program_compiler final {
 public:
  explicit Program_compiler(const Program::Find_input &find_input) : m_find_input(find_input) {}

  Result<Program> compile(const std::vector<Wanted_expression> &expressions) {
    for (const Wanted_expression &expression : expressions) {
      const auto root = add(expression);
      if (!root) return std::unexpected(root.error());
      m_program.m_roots.push_back(*root);
    }
    return std::move(m_program);
  }

 private:
  using Node = Program::Node;
  using Place = Result<std::uint32_t>;

  Place add(const Wanted_expression &wanted) {
    Node node{wanted.op};
    node.numbers = wanted.numbers;
    node.texts = wanted.texts;
    for (const Wanted_expression &operand : wanted.operands) {
      const auto place = add(operand);
      if (!place) return place;
      node.operands.push_back(*place);
    }
    switch (wanted.op) {
      case Operator::column:
        return add_column(std::move(node));
      case Operator::integer:
        node.interval = {wanted.numbers.front(), wanted.numbers.front()};
        return insert(std::move(node));
      case Operator::text:
        node.kind = Kind::text;
        m_program.m_longest_constant =
            std::max(m_program.m_longest_constant, wanted.texts.front().size());
        return insert(std::move(node));
      case Operator::add:
      case Operator::subtract:
      case Operator::multiply:
      case Operator::divide:
      case Operator::modulo:
      case Operator::divide_half_up:
      case Operator::floor_divide:
      case Operator::floor_modulo:
        return add_calculation(std::move(node));
      case Operator::within:
        return add_limit(std::move(node));
      case Operator::equal:
      case Operator::not_equal:
      case Operator::less:
      case Operator::less_or_equal:
      case Operator::greater:
      case Operator::greater_or_equal:
        return add_comparison(std::move(node));
      case Operator::conjunction:
      case Operator::disjunction:
        return add_connection(std::move(node));
      case Operator::negation:
        if (!are(node, Kind::truth)) return bad_operands("must have truth values under not");
        return insert_truth(std::move(node));
      case Operator::is_null:
        return insert_truth(std::move(node));
      case Operator::choose:
      case Operator::null_if:
      case Operator::coalesce:
        return add_choice(std::move(node));
      case Operator::year:
      case Operator::month:
      case Operator::day:
      case Operator::day_of_year:
      case Operator::add_months:
        return add_of_date(std::move(node));
      case Operator::like:
      case Operator::length:
      case Operator::substring:
        return add_of_text(std::move(node));
    }
    return bad_operands("has an unknown operator");
  }

  Place add_column(Node node) {
    const std::string &name = node.texts.front();
    const auto known = m_columns.find(name);
    if (known != m_columns.end()) return known->second;
    const auto input = m_find_input(name);
    if (!input) return std::unexpected(input.error());
    node.kind = input->kind;
    node.interval = input->interval;
    node.place = static_cast<std::uint32_t>(m_program.m_inputs.size());
    m_program.m_columns.push_back(name);
    m_program.m_inputs.push_back(*input);
    const auto place = insert(std::move(node));
    if (place) m_columns.emplace(name, *place);
    return place;
  }

  Place add_calculation(Node node) {
    if (!are(node, Kind::integer)) return bad_operands("must have integers under arithmetic");
    const Interval &a = interval(node, 0);
    const Interval &b = interval(node, 1);
    switch (node.op) {
      case Operator::add:
        node.interval = intervals::sum(a, b);
        break;
      case Operator::subtract:
        node.interval = intervals::difference(a, b);
        break;
      case Operator::multiply:
        node.interval = intervals::product(a, b);
        break;
      default:
        node.interval = divided(node.op, a, b);
        break;
    }
    return insert(std::move(node));
  }

  Place add_limit(Node node) {
    if (!are(node, Kind::integer)) return bad_operands("must have an integer under within");
    const Interval &a = interval(node, 0);
    const Interval limits{node.numbers.front(), node.numbers.back()};
    if (a.is_within(limits)) return node.operands.front();
    node.interval = {std::max(a.low, limits.low), std::min(a.high, limits.high)};
    if (node.interval.low > node.interval.high) node.interval = limits;
    return insert(std::move(node));
  }

  Place add_comparison(Node node) {
    const bool is_of_texts = are(node, Kind::text);
    const bool has_text = kind(node, 0) == Kind::text || kind(node, 1) == Kind::text;
    if (has_text && !is_of_texts) return bad_operands("must compare texts with texts only");
    if (kind(node, 0) == Kind::floating || kind(node, 1) == Kind::floating) {
      return bad_operands("must not compare floating numbers");
    }
    return insert_truth(std::move(node));
  }

  // Each node connects two operands.
  Place add_connection(Node node) {
    if (!are(node, Kind::truth)) return bad_operands("must have truth values under and, or");
    std::uint32_t first = node.operands.front();
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      Node pair{node.op};
      pair.operands = {first, node.operands[i]};
      const auto place = insert_truth(std::move(pair));
      if (!place) return place;
      first = *place;
    }
    return first;
  }

  Place add_choice(Node node) {
    if (node.op != Operator::coalesce && kind(node, 0) != Kind::truth) {
      return bad_operands("must have a truth value as the condition");
    }
    const std::size_t first = node.op == Operator::coalesce ? 0 : 1;
    for (std::size_t i = first + 1; i < node.operands.size(); ++i) {
      if (kind(node, i) != kind(node, first)) {
        return bad_operands("must choose between values of one kind");
      }
    }
    if (node.op == Operator::coalesce) return add_coalesce(node);
    node.kind = kind(node, 1);
    node.interval = interval(node, 1);
    if (node.op == Operator::choose) {
      node.interval = intervals::both(node.interval, interval(node, 2));
    }
    return insert(std::move(node));
  }

  Place add_coalesce(const Node &node) {
    std::uint32_t first = node.operands.front();
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      Node pair{node.op};
      pair.operands = {first, node.operands[i]};
      pair.kind = kind(node, 0);
      pair.interval = intervals::both(m_program.m_nodes[first].interval, interval(node, i));
      const auto place = insert(std::move(pair));
      if (!place) return place;
      first = *place;
    }
    return first;
  }

  Place add_of_date(Node node) {
    if (!are(node, Kind::integer) || !interval(node, 0).is_within(day_interval)) {
      return bad_operands("must have days within 10000000 of 1970 under functions of dates");
    }
    node.interval =
        of_date(node.op, interval(node, 0), node.numbers.empty() ? 0 : node.numbers.front());
    return insert(std::move(node));
  }

  Place add_of_text(Node node) {
    if (!are(node, Kind::text)) return bad_operands("must have texts under functions of texts");
    if (node.op == Operator::substring) {
      node.kind = Kind::text;
      return insert(std::move(node));
    }
    if (node.op == Operator::length) {
      node.interval = {0, UINT32_MAX};
      return insert(std::move(node));
    }
    // They are compared with the texts of a block before anybody can end the scan.
    m_pattern_bytes += node.texts.front().size();
    if (m_pattern_bytes > max_pattern_bytes_in_all) {
      return bad_operands("must have patterns of at most 1024 bytes in all");
    }
    auto pattern = Like_pattern::parse(node.texts.front(),
                                       node.texts.size() > 1 ? node.texts.back() : std::string());
    if (!pattern) return std::unexpected(pattern.error());
    node.patterns.push_back(std::move(*pattern));
    return insert_truth(std::move(node));
  }

  [[nodiscard]] Kind kind(const Node &node, std::size_t which) const {
    return m_program.m_nodes[node.operands[which]].kind;
  }

  [[nodiscard]] const Interval &interval(const Node &node, std::size_t which) const {
    return m_program.m_nodes[node.operands[which]].interval;
  }

  [[nodiscard]] bool are(const Node &node, Kind kind_of_all) const {
    return std::ranges::all_of(node.operands, [&](std::uint32_t operand) {
      return m_program.m_nodes[operand].kind == kind_of_all;
    });
  }

  Place insert_truth(Node node) {
    node.kind = Kind::truth;
    node.interval = truth_interval;
    return insert(std::move(node));
  }

  // An expression that is there already is not evaluated twice.
  Place insert(Node node) {
    const auto place = static_cast<std::uint32_t>(m_program.m_nodes.size());
    const auto [known, is_new] =
        m_known.emplace(std::tuple(node.op, node.operands, node.numbers, node.texts), place);
    if (is_new) m_program.m_nodes.push_back(std::move(node));
    return known->second;
  }

  const Program::Find_input &m_find_input;
  Program m_program;
  std::size_t m_pattern_bytes = 0;
  std::map<std::string, std::uint32_t> m_columns;
  std::map<std::tuple<Operator, std::vector<std::uint32_t>, std::vector<__int128>,
                      std::vector<std::string>>,
           std::uint32_t>
      m_known;
};

Result<Program> Program::compile(const std::vector<Wanted_expression> &expressions,
                                 const Find_input &find_input) {
  return Program_compiler(find_input).compile(expressions);
}

std::vector<Layout> Program::input_layouts() const {
  std::vector<Layout> layouts;
  for (const Input &input : m_inputs) layouts.push_back(input.layout);
  return layouts;
}

Result<void> Program::check_layout(std::size_t expression, Layout layout) const {
  const Node &root = m_nodes[m_roots[expression]];
  const bool is_text = root.kind == Kind::text;
  if (root.kind != Kind::floating && is_text == (layout == Layout::bytes) &&
      (is_text || root.interval.is_within(interval_of(layout)))) {
    return {};
  }
  return arguments::bad("options.expressions", "must have layouts that hold all their values");
}

std::size_t Program::memory(std::uint32_t most_rows) const {
  std::size_t bytes_of_row = 0;
  std::size_t bytes_of_patterns = 0;
  for (const Node &node : m_nodes) {
    for (const Like_pattern &pattern : node.patterns) {
      bytes_of_patterns += sizeof(Like_pattern) + pattern.memory();
    }
    bytes_of_row += 1 + (node.kind == Kind::text ? sizeof(std::string_view)
                         : node.is_narrow()      ? sizeof(std::int64_t)
                                                 : sizeof(__int128));
  }
  return m_nodes.size() * (sizeof(Node) + sizeof(Values::Vector)) + bytes_of_patterns +
         bytes_of_row * most_rows;
}

}  // namespace pq
