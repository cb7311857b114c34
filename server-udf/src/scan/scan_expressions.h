// Evaluates expressions over the rows of a native scan.

#ifndef MYSQL_PQ_SCAN_SCAN_EXPRESSIONS_H
#define MYSQL_PQ_SCAN_SCAN_EXPRESSIONS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "leaf/cell_block.h"
#include "leaf/record_layout.h"
#include "pure/column_batch.h"
#include "pure/error.h"
#include "pure/program.h"
#include "scan/scan_columns.h"

namespace pq {

class Scan_expressions final {
 public:
  // Finds the columns, and adds those to the fields that are not among them.
  //
  // Errors: those of Stored_columns::find and Program::compile; unsupported_scan if a column's
  // values have no decoder or are neither integers, decimals, doubles, dates nor text.
  [[nodiscard]] static Result<Scan_expressions> make(
      Stored_columns &columns, const std::vector<Wanted_expression> &expressions,
      std::vector<Record_layout::Column> &fields);

  [[nodiscard]] bool empty() const { return m_program.size() == 0; }
  [[nodiscard]] const Program &program() const { return m_program; }
  // How many of the expressions are texts.
  [[nodiscard]] std::size_t texts() const;
  [[nodiscard]] const std::vector<Scan_column> &columns() const { return m_columns; }
  // The places of the columns among the fields.
  [[nodiscard]] const std::vector<std::size_t> &places() const { return m_places; }

  // Memory to be used again and again.
  class Values final {
   public:
    // The expressions outlive it.
    Values(const Scan_expressions &expressions, std::uint32_t most_rows);

    // Memory that it takes at most, but for texts.
    [[nodiscard]] static std::size_t memory(const Scan_expressions &expressions,
                                            std::uint32_t most_rows);

    // Evaluates all of these rows of the block. False if an expression has no value for one.
    [[nodiscard]] bool evaluate(const Cell_block &cells, std::span<const std::uint32_t> rows);

    // Appends the values to columns, one for each expression.
    void append_to(std::span<Column_buffer> columns, std::uint32_t first_row) const;

    [[nodiscard]] const Program::Values &values() const { return m_values; }

    // Keeps those of the rows that were evaluated for which all expressions, truth values, are
    // true. Returns how many.
    [[nodiscard]] std::uint32_t keep_true(std::span<std::uint32_t> rows) const;

   private:
    [[nodiscard]] Cells gather(const Cells &cells, std::span<const std::uint32_t> rows);

    const Scan_expressions &m_expressions;
    Column_batch m_inputs;
    Program::Values m_values;
    std::vector<const unsigned char *> m_data;
    std::vector<std::uint32_t> m_sizes;
    std::string m_scratch;
  };

 private:
  Program m_program;
  std::vector<Scan_column> m_columns;
  std::vector<std::size_t> m_places;
};

}  // namespace pq

#endif
