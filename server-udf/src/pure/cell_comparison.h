// Compares the cells of two columns, as the server or InnoDB stores them, without decoding them.

#ifndef MYSQL_PQ_PURE_CELL_COMPARISON_H
#define MYSQL_PQ_PURE_CELL_COMPARISON_H

#include <cstdint>

#include "pure/cells.h"

namespace pq {

enum class Comparison : std::uint8_t {
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal
};

// Keeps rows in which one cell compares with another as wanted. A comparison with NULL never
// passes.
class Cell_comparison final {
 public:
  // The type of both, whose values sort as they are stored.
  Cell_comparison(const Cell_type &type, Comparison comparison);

  // Keeps those of the rows, in order. Returns how many.
  [[nodiscard]] std::uint32_t apply(const Cells &left, const Cells &right, std::uint32_t *rows,
                                    std::uint32_t count) const noexcept;

 private:
  Cell_type m_type;
  std::size_t m_size;  // of a cell; 0 if each has its own
  // Which orders of the two pass.
  bool m_less;
  bool m_equal;
  bool m_greater;
};

}  // namespace pq

#endif
