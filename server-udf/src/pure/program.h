// Evaluates expressions over the rows of a batch.

#ifndef MYSQL_PQ_PURE_PROGRAM_H
#define MYSQL_PQ_PURE_PROGRAM_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pure/column_batch.h"
#include "pure/error.h"
#include "pure/expression.h"
#include "pure/interval.h"
#include "pure/like_pattern.h"

namespace pq {

// Expressions, put together so that each is evaluated once, however often it is part of others.
// Each one works on all rows of a batch before the next one does.
class Program final {
 public:
  // Floating numbers are only chosen, and ordered.
  enum class Kind : std::uint8_t { integer, truth, text, floating };

  // A column whose values expressions take.
  struct Input {
    Kind kind = Kind::integer;  // or text, or floating of a DOUBLE's bits
    Layout layout = Layout::bytes;
    // Integers lie in it. A value outside stands for none: rows that have one are not evaluated.
    Interval interval{};
  };

  // Says what is known of a column; its place among the inputs is given by order. Called once for
  // each column.
  using Find_input = std::function<Result<Input>(const std::string &column)>;

  // bad_argument if an operator does not take such operands; the errors of find_input.
  [[nodiscard]] static Result<Program> compile(const std::vector<Wanted_expression> &expressions,
                                               const Find_input &find_input);

  [[nodiscard]] std::size_t size() const { return m_roots.size(); }

  // The names of the columns and what is known of them, in the order in which rows have them.
  [[nodiscard]] const std::vector<std::string> &columns() const { return m_columns; }
  [[nodiscard]] std::vector<Layout> input_layouts() const;

  [[nodiscard]] Kind kind(std::size_t expression) const {
    return m_nodes[m_roots[expression]].kind;
  }
  // Whether 64 bits hold all values of an expression that is no text.
  [[nodiscard]] bool is_narrow(std::size_t expression) const {
    return m_nodes[m_roots[expression]].is_narrow();
  }
  // bad_argument unless the layout holds all values of the expression. int8 does those of a truth
  // value, none those of a floating number.
  [[nodiscard]] Result<void> check_layout(std::size_t expression, Layout layout) const;
  // That texts which are no part of the input can have.
  [[nodiscard]] std::size_t longest_constant() const { return m_longest_constant; }

  // What the expressions are for the rows of a batch.
  class Values;

  // Memory of Values.
  [[nodiscard]] std::size_t memory(std::uint32_t most_rows) const;

 private:
  friend class Program_compiler;

  struct Node {
    Operator op;
    Kind kind = Kind::integer;
    Interval interval{};
    std::vector<std::uint32_t> operands{};
    std::uint32_t place = 0;  // of a column, among the inputs
    std::vector<__int128> numbers{};
    std::vector<std::string> texts{};
    std::vector<Like_pattern> patterns{};

    [[nodiscard]] bool is_narrow() const { return interval.is_narrow(); }
  };

  std::vector<Node> m_nodes;  // operands come before what is made of them
  std::vector<std::uint32_t> m_roots;
  std::vector<std::string> m_columns;
  std::vector<Input> m_inputs;
  std::size_t m_longest_constant = 0;
};

// Keeps its memory from batch to batch.
class Program::Values final {
 public:
  // The program outlives it.
  Values(const Program &program, std::uint32_t most_rows);

  // Evaluates all expressions. The batch holds the columns of the program, in their order, and
  // outlives what is asked for afterwards. False if an operation has no value for some row: nothing
  // else may be asked for then.
  [[nodiscard]] bool evaluate(const Column_batch &inputs);

  // Appends the values of an expression. The layout has been checked.
  void append_to(Column_buffer &column, std::uint32_t first_row, std::size_t expression) const;

  // Keeps the numbers for whose rows all expressions are true: the first one is that of the first
  // row, and so on. Returns how many. All expressions are truth values.
  [[nodiscard]] std::uint32_t keep_true(std::span<std::uint32_t> rows) const;

  // Values of an expression, or of a part of one: one for each row.
  struct Vector {
    // Integers whose interval is narrow; truth values; what orders floating numbers.
    std::vector<std::int64_t> narrow{};
    std::vector<__int128> wide{};
    std::vector<std::string_view> texts{};
    std::vector<std::uint8_t> nulls{};  // 1 if there is none; the value is then 0 or empty
    bool has_nulls = false;
  };

  // The values of an expression.
  [[nodiscard]] const Vector &of(std::size_t expression) const {
    return m_vectors[m_program.m_roots[expression]];
  }

 private:
  void evaluate(std::uint32_t node, const Column_batch &inputs);
  [[nodiscard]] const Vector &operand(const Node &node, std::size_t which) const;
  [[nodiscard]] bool is_narrow(const Node &node, std::size_t which) const;
  template <class Use>
  void with_integers(const Node &node, std::size_t which, Use use) const;
  template <class Use>
  static void with_results(const Node &node, Vector &result, Use use);

  void load(const Node &node, const Column_batch &inputs, Vector &result);
  void take_nulls(const Node &node, Vector &result) const;
  void calculate(const Node &node, Vector &result);
  void limit(const Node &node, Vector &result);
  void compare(const Node &node, Vector &result) const;
  void connect(const Node &node, Vector &result) const;
  void choose(const Node &node, Vector &result) const;
  void take_from_date(const Node &node, Vector &result) const;
  void take_from_text(const Node &node, Vector &result);

  const Program &m_program;
  std::vector<Vector> m_vectors;
  std::uint32_t m_rows = 0;
  bool m_failed = false;
};

}  // namespace pq

#endif
