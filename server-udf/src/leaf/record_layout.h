// Knows where in a record of a clustered index its cells are.

#ifndef MYSQL_PQ_LEAF_RECORD_LAYOUT_H
#define MYSQL_PQ_LEAF_RECORD_LAYOUT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "leaf/cell_block.h"
#include "server/innodb_guards.h"

namespace pq {

// Cells that each record has at the same distance from its beginning, or from the end of its key if
// the key has no fixed size, are found without more. Others are found step by step, as the record's
// lengths and NULLs tell. ALTER TABLE with ALGORITHM=INSTANT leaves records of several row versions
// in a table: each has steps of its own.
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

  // Tells the block at which distances columns are. To be called before locate().
  void describe(Cell_block &cells) const;

  // Who wrote the record last; no_writer if it ends beyond the limit.
  [[nodiscard]] trx_id_t writer(const rec_t *rec, const byte *limit) const noexcept {
    if (m_writer_distance == 0) return find_writer(rec, limit);
    const auto room = static_cast<std::size_t>(limit - rec);
    return m_writer_distance + DATA_TRX_ID_LEN <= room ? mach_read_from_6(rec + m_writer_distance)
                                                       : no_writer;
  }
  static constexpr trx_id_t no_writer = UINT64_MAX;

  // Points the row of the block at the record's cells, unless the record ends beyond the limit. The
  // cells of a column that was added after the record was written lie in the dictionary's memory;
  // all others lie in the record. Returns the bytes of the cells, and perhaps of some cells beside
  // them; `damaged` if the record is.
  [[nodiscard]] std::size_t locate(const rec_t *rec, const byte *limit, std::uint32_t row,
                                   Cell_block &cells) {
    if (m_by_offsets) return locate_by_offsets(rec, limit, row, cells);
    const auto room = static_cast<std::size_t>(limit - rec);
    std::size_t bytes = m_fixed_bytes;
    if (m_key_varies) {
      const std::size_t key = key_bytes(rec);
      if (key > room) return damaged;
      cells.set_row(row, rec + key);
      bytes += key;
    } else {
      cells.set_row(row, rec);
    }
    if (bytes > room) return damaged;
    return m_has_steps ? std::max(bytes, locate_by_steps(rec, limit, row, cells)) : bytes;
  }
  static constexpr std::size_t damaged = SIZE_MAX;

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

  // A column that was added after the records were written.
  struct Absent {
    std::size_t column;
    const byte *value;  // null for NULL
    std::size_t size;
  };

  // How records of one row version are read.
  struct Row_version {
    bool is_known = false;
    std::size_t null_bytes = 0;
    std::vector<Step> steps{};
    std::vector<Absent> absent{};
    std::size_t absent_bytes = 0;
  };

  void find_key();
  void find_fixed_columns();
  [[nodiscard]] bool is_fixed_in_each_record(ulint physical_field) const;
  [[nodiscard]] std::int32_t wanted_at(const dict_field_t *field) const;
  [[nodiscard]] static bool is_in_each_version(const dict_field_t *field);
  [[nodiscard]] static Absent absent(std::size_t column, const byte *value, ulint size);
  static void add_step(Row_version &version, const dict_field_t *field, std::int32_t column);
  void find_steps(Row_version &version, row_version_t number) const;
  [[nodiscard]] Row_version *version_of(const rec_t *rec, const byte **nulls) noexcept;
  [[nodiscard]] std::size_t null_bytes_of(row_version_t number) const noexcept;
  [[nodiscard]] std::size_t key_bytes(const rec_t *rec) const noexcept;
  [[nodiscard]] trx_id_t find_writer(const rec_t *rec, const byte *limit) const noexcept;
  [[nodiscard]] trx_id_t find_writer_by_offsets(const rec_t *rec, const byte *limit) const noexcept;
  [[nodiscard]] std::size_t locate_by_steps(const rec_t *rec, const byte *limit, std::uint32_t row,
                                            Cell_block &cells);
  [[nodiscard]] std::size_t locate_by_offsets(const rec_t *rec, const byte *limit,
                                              std::uint32_t row, Cell_block &cells) const;

  const dict_index_t *m_index;
  std::vector<Column> m_columns;
  bool m_by_offsets;              // as InnoDB itself finds cells, for formats that are rare today
  std::size_t m_writer_distance;  // 0 if the key has no fixed size
  bool m_key_varies = false;      // in its size
  std::vector<char> m_big_key_fields;  // of each key field of variable size, whether it is big
  std::size_t m_fixed_key_bytes = 0;   // of the others
  ulint m_first_fixed = 0;             // of the physical fields; behind the key if it varies
  ulint m_fixed_end = 0;               // the first field behind those that are fixed
  std::size_t m_fixed_size = 0;        // bytes of these
  std::size_t m_fixed_bytes = 0;       // up to the last of them that is wanted
  // Where each column is that is fixed, and its bytes.
  struct Fixed {
    std::size_t column;
    std::uint32_t distance;
    std::size_t size;
  };
  std::vector<Fixed> m_fixed;
  bool m_has_steps = false;
  std::vector<Row_version> m_versions;  // by number; only one if the table has no row versions
};

}  // namespace pq

#endif
