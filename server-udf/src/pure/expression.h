// Expressions over the values of a row, as a caller writes them (docs/protocol.md).

#ifndef MYSQL_PQ_PURE_EXPRESSION_H
#define MYSQL_PQ_PURE_EXPRESSION_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pure/error.h"
#include "pure/json_reader.h"

namespace pq {

enum class Operator : std::uint8_t {
  column,
  integer,
  text,
  add,
  subtract,
  multiply,
  divide,          // truncates
  modulo,          // has the sign of the dividend
  divide_half_up,  // rounds half away from 0
  floor_divide,
  floor_modulo,
  within,
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  conjunction,
  disjunction,
  negation,
  is_null,
  choose,  // if
  null_if,
  coalesce,
  year,
  month,
  day,
  day_of_year,
  add_months,
  like,
  length,
  substring
};

struct Wanted_expression {
  Operator op;
  // The name of the column, the text, or the pattern of LIKE and then its escape character.
  std::vector<std::string> texts{};
  // The integer; the ends of `within`; the months; start and length of the substring.
  std::vector<__int128> numbers{};
  std::vector<Wanted_expression> operands{};
};

constexpr std::size_t max_expression_nodes = 1024;
constexpr std::size_t max_constant_bytes = 4096;  // of a text
constexpr std::size_t max_pattern_bytes = 256;
constexpr std::size_t max_pattern_bytes_in_all = 1024;

// Reads an expression. `nodes` counts those of all expressions that were read so far.
[[nodiscard]] Result<Wanted_expression> read_expression(const Json &json, std::size_t &nodes);

}  // namespace pq

#endif
