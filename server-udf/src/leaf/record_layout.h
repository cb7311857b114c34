// Knows where in a record of a clustered index its cells are.

#ifndef MYSQL_PQ_LEAF_RECORD_LAYOUT_H
#define MYSQL_PQ_LEAF_RECORD_LAYOUT_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pure/cells.h"
#include "server/innodb_guards.h"

namespace pq {

// Pointers to the cells of some columns in some rows, column by column.
class Cell_block final {
 public:
  // A cell of which the record has but the begin and a reference to the rest.
  struct Off_page {
    std::uint32_t column;
    std::uint32_t row;
  };

  Cell_block(std::size_t columns, std::uint32_t max_rows)
      : m_max_rows(max_rows), m_data(columns * max_rows), m_sizes(columns * max_rows) {}

  // Null for NULL.
  void set(std::size_t column, std::uint32_t row, const unsigned char *data,
           std::size_t size) noexcept {
    m_data[column * m_max_rows + row] = data;
    m_sizes[column * m_max_rows + row] = static_cast<std::uint32_t>(size);
  }

  // What was set is only what the record has of the cell. Row by row.
  void add_off_page(std::size_t column, std::uint32_t row) {
    m_off_page.push_back({static_cast<std::uint32_t>(column), row});
  }
  void clear_off_page() noexcept { m_off_page.clear(); }
  [[nodiscard]] const std::vector<Off_page> &off_page() const noexcept { return m_off_page; }

  // Moves the cells of these rows, which are ascending, to the front.
  void keep(std::size_t column, std::span<const std::uint32_t> rows) noexcept {
    for (std::uint32_t to = 0; to < rows.size(); ++to) {
      data(column)[to] = data(column)[rows[to]];
      sizes(column)[to] = sizes(column)[rows[to]];
    }
  }

  [[nodiscard]] const unsigned char **data(std::size_t column) noexcept {
    return m_data.data() + column * m_max_rows;
  }
  [[nodiscard]] std::uint32_t rows() const noexcept { return m_max_rows; }
  [[nodiscard]] std::uint32_t *sizes(std::size_t column) noexcept {
    return m_sizes.data() + column * m_max_rows;
  }

 private:
  std::uint32_t m_max_rows;
  std::vector<const unsigned char *> m_data;
  std::vector<std::uint32_t> m_sizes;
  std::vector<Off_page> m_off_page;
};

class Record_layout final {
 public:
  // A column by its number among the index's fields, and the bytes of each of its cells, 0 if they
  // differ.
  struct Column {
    ulint field;
    std::size_t size;
  };

  // Each column at most once.
  Record_layout(const dict_index_t *index, const std::vector<Column> &columns);

  // Who wrote the record last; nothing if it ends beyond the limit.
  [[nodiscard]] std::optional<trx_id_t> trx_id(const rec_t *rec, const byte *limit) const noexcept;

  // Points the row of the block at the record's cells, unless the record ends beyond the limit. The
  // cells of a column that was added after the record was written lie in the dictionary's memory;
  // all others lie in the record. Returns the bytes of the cells in the record, and perhaps of some
  // cells beside them. Returns nothing if the record is damaged.
  [[nodiscard]] std::optional<std::size_t> locate(const rec_t *rec, const byte *limit,
                                                  std::uint32_t row, Cell_block &cells) const;

  // A record's header, which says where its fields are, has at most this many bytes. The id of its
  // last writer stands at most this far behind the record's beginning.
  static constexpr std::size_t most_extra_bytes = 4096;

 private:
  static constexpr std::int32_t unwanted = -1;

  // One field, or several neighbouring fields of fixed size that are neither nullable nor wanted.
  struct Step {
    bool nullable;
    bool big;             // two bytes of length if it is long
    std::uint32_t fixed;  // bytes; 0 if the record says how many
    std::int32_t column;
  };

  void add_step(const dict_field_t *field, std::int32_t column);
  [[nodiscard]] std::optional<std::size_t> locate_by_offsets(const rec_t *rec, const byte *limit,
                                                             std::uint32_t row,
                                                             Cell_block &cells) const;

  const dict_index_t *m_index;
  std::vector<Column> m_columns;
  std::vector<Step> m_steps;
  bool m_by_offsets;  // as InnoDB itself finds cells, which is right for all formats and slower
  std::size_t m_null_bytes;
  ulint m_trx_id_field;
};

}  // namespace pq

#endif
