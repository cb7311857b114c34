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

// Those of the rows of a block, one block after the other.
//
// No latch is held, none on the records either (docs/decisions/native-scan.md): while a read view
// sees a record, purge leaves the values that it refers to, and a value is written to other pages
// when it changes. Only JSON is changed in its place, which has no decoder.
class Off_page_values final {
 public:
  // Values of one row that take more bytes together are not read.
  explicit Off_page_values(std::size_t most_bytes_of_row)
      : m_most_bytes_of_row(most_bytes_of_row) {}

  // Bytes of the row's values of which the record has but the begin; 0 if it has all.
  [[nodiscard]] static std::size_t bytes_of_row(Cell_block &cells, std::uint32_t row);

  // Makes room for the values of the first rows of the block, of which nothing was read yet.
  void prepare(Cell_block &cells, std::uint32_t rows);

  // Puts the values of these columns in these rows, which are ascending, in the place of what the
  // records have of them. Each value is read once, whatever the calls. Returns the first row that
  // has one that can't be read in this way, or the number of all rows of the block.
  //
  // Latches: none held on entry and exit; S-latches of the value's own pages inside. Kill and
  // time-out are polled for each value.
  //
  // Errors: reported (killed), disabled.
  [[nodiscard]] Result<std::uint32_t> read(THD *thd, const Tree &tree, Cell_block &cells,
                                           std::span<const std::size_t> columns,
                                           std::span<const std::uint32_t> rows);

 private:
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
