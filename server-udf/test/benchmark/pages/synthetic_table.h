// Makes a clustered index and a leaf page of it to measure with, in memory and without a server.

#ifndef MYSQL_PQ_BENCHMARK_SYNTHETIC_TABLE_H
#define MYSQL_PQ_BENCHMARK_SYNTHETIC_TABLE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "leaf/record_layout.h"
#include "tree/tree.h"

namespace pq {

// A column behind the key, and what its cells look like.
struct Synthetic_column {
  std::uint16_t fixed_bytes;  // 0 if cells have 0 to 15 bytes
  std::uint32_t null_every;   // 0 if the column is NOT NULL
};

// A table with a BIGINT as its primary key, in the format DYNAMIC. InnoDB's objects have only those
// members set that a scan reads; they are never destroyed as such.
class Synthetic_table final {
 public:
  explicit Synthetic_table(const std::vector<Synthetic_column> &columns);
  Synthetic_table(const Synthetic_table &) = delete;
  Synthetic_table &operator=(const Synthetic_table &) = delete;

  [[nodiscard]] Tree tree() const { return {m_table.get(), m_index.get()}; }

  // All columns, as a scan of them asks for.
  [[nodiscard]] const std::vector<Record_layout::Column> &columns() const { return m_columns; }

  // A leaf page with as many rows as fit, all written by transactions that have long ended.
  [[nodiscard]] const page_t *page() const { return m_page.get(); }
  [[nodiscard]] std::uint32_t rows() const { return m_rows; }

 private:
  // Memory of an object that is not constructed.
  struct Free {
    void operator()(void *memory) const noexcept;
  };
  template <class Object>
  using Raw = std::unique_ptr<Object, Free>;
  template <class Object>
  [[nodiscard]] static Raw<Object> allocate(std::size_t count);

  void add_field(std::uint16_t fixed_bytes, bool nullable);
  void fill_page(const std::vector<Synthetic_column> &columns);

  Raw<dict_table_t> m_table;
  Raw<dict_index_t> m_index;
  Raw<dict_col_t> m_cols;
  Raw<dict_field_t> m_fields;
  Raw<byte> m_page;
  std::vector<Record_layout::Column> m_columns;
  std::uint32_t m_rows = 0;
};

}  // namespace pq

#endif
