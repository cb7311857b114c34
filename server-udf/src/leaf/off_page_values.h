// Reads values that InnoDB keeps on pages of their own, because a row would not fit on one with
// them.

#ifndef MYSQL_PQ_LEAF_OFF_PAGE_VALUES_H
#define MYSQL_PQ_LEAF_OFF_PAGE_VALUES_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "leaf/record_layout.h"
#include "pure/error.h"
#include "tree/tree.h"

namespace pq {

// Reads the off-page values of the rows of one block after the other.
//
// No latch is held, not even on the records (docs/decisions/native-scan.md). While a read view sees
// a record, purge keeps the values that the record refers to, and InnoDB writes a changed value to
// other pages. Only JSON is changed in place, and JSON has no decoder.
class Off_page_values final {
 public:
  // Does not read the values of a row that together take more bytes than this.
  explicit Off_page_values(std::size_t most_bytes_of_row)
      : m_most_bytes_of_row(most_bytes_of_row) {}

  // Bytes of the row's values of which the record has only the beginning; 0 if it has all of them.
  [[nodiscard]] static std::size_t bytes_of_row(const Cell_block &cells, std::uint32_t row) {
    return cells.off_page().empty() ? 0 : sum_of_row(cells, row);
  }

  // Makes room for the values of the block's first `rows` rows. None of them has been read yet.
  void prepare(Cell_block &cells, std::uint32_t rows);

  // Reads the values of these columns in these rows, which are ascending, and puts them in the
  // place of the beginnings that the records have. Reads each value once, however often it is
  // called. Returns the first row that has a value which cannot be read in this way, or the number
  // of all rows of the block.
  //
  // Latches: none held on entry and exit; S-latches of the value's own pages inside. Kill and
  // time-out are polled for each value.
  //
  // Errors: reported (killed), disabled.
  [[nodiscard]] Result<std::uint32_t> read(THD *thd, const Tree &tree, Cell_block &cells,
                                           std::span<const std::size_t> columns,
                                           std::span<const std::uint32_t> rows);

 private:
  [[nodiscard]] static std::size_t sum_of_row(const Cell_block &cells, std::uint32_t row);

  enum class State : std::uint8_t { unread, read, too_large };

  struct Value {
    State state;
    std::size_t at;  // in the memory
    std::size_t size;
  };

  [[nodiscard]] bool read_value(THD *thd, const Tree &tree, Cell_block &cells,
                                const Cell_block::Off_page &cell, Value &value);

  std::size_t m_most_bytes_of_row;
  std::uint32_t m_rows = 0;
  std::vector<Value> m_values;  // as the block lists their cells
  std::unique_ptr<char[]> m_memory;
  std::size_t m_capacity = 0;
};

}  // namespace pq

#endif
