// Where the cells of some columns in some rows are.

#ifndef MYSQL_PQ_LEAF_CELL_BLOCK_H
#define MYSQL_PQ_LEAF_CELL_BLOCK_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pure/cells.h"

namespace pq {

// Points to cells column by column. Columns at a fixed distance from where a row begins share the
// pointers to the rows.
class Cell_block final {
 public:
  // A cell of which the record has only the beginning and a reference to the rest.
  struct Off_page {
    std::uint32_t column;
    std::uint32_t row;
  };

  Cell_block(std::size_t columns, std::uint32_t max_rows)
      : m_max_rows(max_rows),
        m_stride(max_rows + padding),
        m_rows(max_rows),
        m_data(columns * m_stride),
        m_sizes(columns * m_stride),
        m_distances(columns, not_fixed) {}

  // Puts each cell of the column, of this many bytes, at this distance from where its row begins.
  void fix(std::size_t column, std::uint32_t distance, std::size_t size) {
    if (m_distances[column] == distance) return;
    m_distances[column] = distance;
    for (std::uint32_t row = 0; row < m_max_rows; ++row) {
      sizes(column)[row] = static_cast<std::uint32_t>(size);
    }
  }
  void unfix(std::size_t column) noexcept { m_distances[column] = not_fixed; }

  void set_row(std::uint32_t row, const unsigned char *begin) noexcept { m_rows[row] = begin; }

  // Sets a cell of a column that is not fixed. The data are null for NULL.
  void set(std::size_t column, std::uint32_t row, const unsigned char *data,
           std::size_t size) noexcept {
    m_data[column * m_stride + row] = data;
    m_sizes[column * m_stride + row] = static_cast<std::uint32_t>(size);
  }

  // Says that the record has only the beginning of the cell that was set. Rows come in order.
  void add_off_page(std::size_t column, std::uint32_t row) {
    m_off_page.push_back({static_cast<std::uint32_t>(column), row});
  }
  void clear_off_page() noexcept { m_off_page.clear(); }
  [[nodiscard]] const std::vector<Off_page> &off_page() const noexcept { return m_off_page; }

  // Moves the cells of the first columns in these rows, which are ascending, to the front.
  void keep(std::size_t columns, std::span<const std::uint32_t> rows) noexcept {
    move(m_rows.data(), rows);
    for (std::size_t column = 0; column < columns; ++column) {
      if (m_distances[column] != not_fixed) continue;
      move(m_data.data() + column * m_stride, rows);
      move(sizes(column), rows);
    }
  }

  // Returns the cells of the column in the first rows.
  [[nodiscard]] Cells cells(std::size_t column, std::uint32_t rows) const noexcept {
    const std::uint32_t *sizes = m_sizes.data() + column * m_stride;
    if (m_distances[column] == not_fixed) return {m_data.data() + column * m_stride, sizes, rows};
    return {m_rows.data(), sizes, rows, m_distances[column]};
  }
  [[nodiscard]] std::uint32_t rows() const noexcept { return m_max_rows; }

 private:
  static constexpr std::uint32_t not_fixed = UINT32_MAX;

  // Columns whose rows lie 4,096 bytes apart would share one set of the processor's nearest cache.
  static constexpr std::uint32_t padding = 16;

  template <class Of_row>
  static void move(Of_row *from, std::span<const std::uint32_t> rows) noexcept {
    for (std::uint32_t to = 0; to < rows.size(); ++to) from[to] = from[rows[to]];
  }

  [[nodiscard]] std::uint32_t *sizes(std::size_t column) noexcept {
    return m_sizes.data() + column * m_stride;
  }

  std::uint32_t m_max_rows;
  std::uint32_t m_stride;
  std::vector<const unsigned char *> m_rows;
  std::vector<const unsigned char *> m_data;
  std::vector<std::uint32_t> m_sizes;
  std::vector<std::uint32_t> m_distances;
  std::vector<Off_page> m_off_page;
};

}  // namespace pq

#endif
