// Makes cells of columns to measure with.

#ifndef MYSQL_PQ_BENCHMARK_STORED_CELLS_H
#define MYSQL_PQ_BENCHMARK_STORED_CELLS_H

#include <cstdint>
#include <string>
#include <vector>

#include "pure/cells.h"
#include "pure/key_codec.h"

namespace pq {

// As many as a scan decodes at once, and a few more: they fit the nearer caches as a page's records
// do.
constexpr std::uint32_t benchmark_rows = 1024;

// A column's type and layout, as a batch would have it.
struct Benchmark_column {
  const char *name;
  Cell_type type;
  Layout layout;
};

// One of each kind of cell.
[[nodiscard]] const std::vector<Benchmark_column> &benchmark_columns();

// The cells of a column in so many rows, of values that differ, the same in each run.
class Stored_cells final {
 public:
  // One row in null_every is NULL; none if 0.
  Stored_cells(const Cell_type &type, std::uint32_t null_every);

  [[nodiscard]] Cells cells() const { return {m_data.data(), m_sizes.data(), benchmark_rows}; }
  // The cell of a row that is not NULL, as InnoDB stores it.
  [[nodiscard]] const std::string &stored(std::uint32_t row) const { return m_stored[row]; }

 private:
  std::vector<std::string> m_stored;
  std::vector<const unsigned char *> m_data;
  std::vector<std::uint32_t> m_sizes;
};

// The column of a key whose codec stores cells of this type.
[[nodiscard]] Key_column key_column_of(const Cell_type &type);

// A value as the codec takes it.
[[nodiscard]] std::string written_value(const Cell_type &type, std::uint64_t random);

}  // namespace pq

#endif
