// Tests cells, as InnoDB stores them, without decoding them.

#ifndef MYSQL_PQ_PURE_CELL_FILTER_H
#define MYSQL_PQ_PURE_CELL_FILTER_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pure/cells.h"

namespace pq {

// One end of an interval of values, as InnoDB stores them.
struct Filter_end {
  std::string stored;
  bool inclusive = true;
};

// From and to; nothing where there is no end.
struct Filter_interval {
  std::optional<Filter_end> low;
  std::optional<Filter_end> high;
};

// Knows which values of one column pass: those in the intervals, which may overlap and stand in any
// order, and NULL if it is wanted.
//
// Values are compared as they are stored: numbers, dates and times by size, bytes one by one.
// Padded bytes compare as if spaces followed.
class Cell_filter final {
 public:
  // The intervals are stored as the cells are, of the length that the type has.
  Cell_filter(const Cell_type &type, const std::vector<Filter_interval> &intervals,
              bool null_passes);

  // Keeps those of the rows whose cells pass, in order. Returns how many.
  [[nodiscard]] std::uint32_t apply(const Cells &cells, std::uint32_t *rows,
                                    std::uint32_t count) const noexcept;

 private:
  struct Interval {
    std::uint64_t low;
    std::uint64_t high;
  };

  void add_number(const Filter_interval &interval);
  void join_numbers();

  template <class Passes>
  std::uint32_t keep(const Cells &cells, std::uint32_t *rows, std::uint32_t count,
                     Passes passes) const noexcept;

  void sort_bytes();
  [[nodiscard]] bool is_apart(const Filter_interval &lower, const Filter_interval &higher) const;
  [[nodiscard]] bool begins_beyond(const Filter_interval &interval,
                                   std::string_view value) const noexcept;
  [[nodiscard]] bool ends_before(const Filter_interval &interval,
                                 std::string_view value) const noexcept;
  [[nodiscard]] bool passes_bytes(std::string_view value) const noexcept;

  Cell_type m_type;
  std::size_t m_size;  // of a cell; 0 if each has its own
  bool m_null_passes;
  bool m_by_number;
  std::vector<Interval> m_intervals;               // of numbers, ascending and apart
  std::vector<Filter_interval> m_bytes_intervals;  // by where they begin
  bool m_are_apart = true;
};

}  // namespace pq

#endif
