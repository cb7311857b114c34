// Tests the rows of a native scan by what is stored, before anything is decoded.

#ifndef MYSQL_PQ_SCAN_SCAN_CONDITIONS_H
#define MYSQL_PQ_SCAN_SCAN_CONDITIONS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "leaf/record_layout.h"
#include "pure/cell_comparison.h"
#include "pure/cell_filter.h"
#include "pure/error.h"
#include "pure/json_reader.h"
#include "pure/scan_request.h"
#include "scan/scan_columns.h"

namespace pq {

// Text in utf8mb4, of one column and some rows.
class Converted_cells final {
 public:
  // Good until the next call. Rows that are not named have nothing.
  [[nodiscard]] Cells convert(const CHARSET_INFO *charset, const Cells &cells,
                              std::span<const std::uint32_t> rows);

 private:
  std::string m_text;
  std::vector<const unsigned char *> m_data;
  std::vector<std::uint32_t> m_sizes;
};

class Scan_conditions final {
 public:
  // Finds the columns, and adds those to the fields that are not among them.
  //
  // Errors: those of Stored_columns::find; bad_argument if a value does not fit its column;
  // unsupported_scan if values cannot be compared as they are stored.
  [[nodiscard]] static Result<Scan_conditions> make(Stored_columns &columns,
                                                    const Wanted_conditions &wanted,
                                                    std::vector<Record_layout::Column> &fields);

  [[nodiscard]] bool empty() const {
    return m_filters.empty() && m_comparisons.empty() && m_choices.empty();
  }

  // Whether text is converted to be compared.
  [[nodiscard]] bool converts() const;

  // Memory that all values take, but for members of columns.
  [[nodiscard]] std::size_t memory() const { return m_memory; }

  // The names of the columns, some perhaps twice.
  [[nodiscard]] const std::vector<std::string> &columns() const { return m_columns; }

  // The places of the columns among the fields, some perhaps twice.
  [[nodiscard]] const std::vector<std::size_t> &places() const { return m_places; }

  // Memory to be used again and again.
  struct Scratch {
    explicit Scratch(std::uint32_t most_rows);

    // For each level of choices within choices: rows still to be tested, and which have passed.
    struct Level {
      std::vector<std::uint32_t> rows;
      std::vector<char> passed;
    };
    std::array<Level, max_json_depth / 3 + 1> levels;
    std::array<Converted_cells, 2> texts;
    std::string members;
  };

  // Keeps those of the rows of the block that pass, in order. Returns how many.
  [[nodiscard]] std::uint32_t apply(Cell_block &cells, std::span<std::uint32_t> rows,
                                    Scratch &scratch) const {
    return apply(cells, rows, scratch, 0);
  }

 private:
  // A column by its place among the fields; of text that has to be converted, from what.
  struct Operand {
    std::size_t place;
    const CHARSET_INFO *converted_from;
  };

  struct Found {
    Operand operand;
    Cell_type type;
    Stored_column stored;
  };

  // On the stored cells, or on the texts that members have.
  struct Filter {
    Operand operand;
    Cell_filter filter;
    Member_texts members;
    std::size_t member_size;
  };

  struct Choice {
    std::vector<Scan_conditions> alternatives;
  };

  [[nodiscard]] Result<Found> find(Stored_columns &columns, const std::string &column,
                                   std::vector<Record_layout::Column> &fields);
  [[nodiscard]] Result<void> add(Stored_columns &columns, const Wanted_filter &wanted,
                                 std::vector<Record_layout::Column> &fields);
  [[nodiscard]] Result<void> add(Stored_columns &columns, const Wanted_comparison &wanted,
                                 std::vector<Record_layout::Column> &fields);
  [[nodiscard]] Result<void> add(Stored_columns &columns, const Wanted_choice &wanted,
                                 std::vector<Record_layout::Column> &fields);

  [[nodiscard]] std::uint32_t apply(Cell_block &cells, std::span<std::uint32_t> rows,
                                    Scratch &scratch, std::size_t level) const;
  [[nodiscard]] static std::uint32_t apply(const Choice &choice, Cell_block &cells,
                                           std::span<std::uint32_t> rows, Scratch &scratch,
                                           std::size_t level);

  std::vector<std::string> m_columns;
  std::vector<std::size_t> m_places;
  std::vector<Filter> m_filters;
  struct Compared {
    Operand left;
    Operand right;
    Cell_comparison comparison;
  };
  std::vector<Compared> m_comparisons;
  std::vector<Choice> m_choices;
  std::size_t m_memory = 0;
};

}  // namespace pq

#endif
