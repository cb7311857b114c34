#include "synthetic_table.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace pq {

namespace {

constexpr std::size_t alignment = 64;

// The key, and behind it who wrote the row.
constexpr std::uint16_t key_bytes = 8;
constexpr ulint system_fields = 3;

constexpr std::uint16_t most_text_bytes = 100;

// InnoDB counts fields and their bytes in so many bits.
constexpr unsigned ten_bits = 0x3FF;

// A record of the formats COMPACT and DYNAMIC in two parts: what stands before its origin, from the
// origin backwards, and what stands behind it.
struct Record {
  std::string before;
  std::string behind;

  [[nodiscard]] std::size_t size() const { return before.size() + behind.size(); }
};

Record make_record(const std::vector<Synthetic_column> &columns, std::uint32_t row) {
  Record record;
  record.before.assign(REC_N_NEW_EXTRA_BYTES, '\0');
  record.behind.assign(key_bytes + DATA_TRX_ID_LEN + DATA_ROLL_PTR_LEN, '\1');
  std::string nulls;
  std::string lengths;
  unsigned bit = 0;
  for (const Synthetic_column &column : columns) {
    if (column.null_every != 0) {
      if (bit % 8 == 0) nulls.push_back('\0');
      const bool is_null = row % column.null_every == 0;
      if (is_null) nulls.back() = static_cast<char>(nulls.back() | 1 << bit % 8);
      ++bit;
      if (is_null) continue;
    }
    const std::uint32_t varying = row * 7 % 16;
    const std::uint32_t size = column.fixed_bytes != 0 ? column.fixed_bytes : varying;
    if (column.fixed_bytes == 0) lengths.push_back(static_cast<char>(size));
    record.behind.append(size, static_cast<char>('a' + row % 26));
  }
  record.before += nulls + lengths;
  return record;
}

void write_next(byte *page, ulint from, ulint to) {
  mach_write_to_2(page + from - REC_NEXT, (to - from) & (srv_page_size - 1));
}

}  // namespace

void Synthetic_table::Free::operator()(void *memory) const noexcept { std::free(memory); }

template <class Object>
Synthetic_table::Raw<Object> Synthetic_table::allocate(std::size_t count) {
  const std::size_t bytes = (count * sizeof(Object) + alignment - 1) / alignment * alignment;
  void *memory = std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory, 0, bytes);
  return Raw<Object>(static_cast<Object *>(memory));
}

Synthetic_table::Synthetic_table(const std::vector<Synthetic_column> &columns)
    : m_table(allocate<dict_table_t>(1)),
      m_index(allocate<dict_index_t>(1)),
      m_cols(allocate<dict_col_t>(system_fields + columns.size())),
      m_fields(allocate<dict_field_t>(system_fields + columns.size())),
      m_page(allocate<byte>(srv_page_size)) {
  m_table->flags = DICT_TF_COMPACT;
  m_index->table = m_table.get();
  m_index->type = DICT_CLUSTERED | DICT_UNIQUE;
  m_index->n_uniq = 1;
  m_index->trx_id_offset = key_bytes;
  m_index->fields = m_fields.get();
  add_field(key_bytes, false);
  add_field(DATA_TRX_ID_LEN, false);
  add_field(DATA_ROLL_PTR_LEN, false);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    add_field(columns[i].fixed_bytes, columns[i].null_every != 0);
    m_columns.push_back({system_fields + i, columns[i].fixed_bytes});
  }
  fill_page(columns);
}

void Synthetic_table::add_field(std::uint16_t fixed_bytes, bool nullable) {
  const std::size_t number = m_index->n_def;
  dict_col_t &col = m_cols.get()[number];
  col.mtype = fixed_bytes != 0 ? DATA_FIXBINARY : DATA_VARCHAR;
  col.len = fixed_bytes != 0 ? fixed_bytes : most_text_bytes;
  col.prtype = nullable ? 0 : DATA_NOT_NULL;
  dict_field_t &field = m_fields.get()[number];
  field.col = &col;
  field.fixed_len = fixed_bytes & ten_bits;
  m_index->n_def = (number + 1) & ten_bits;
  m_index->n_fields = m_index->n_def;
  m_index->n_total_fields = m_index->n_def;
  if (nullable) m_index->n_nullable = (m_index->n_nullable + 1) & ten_bits;
}

void Synthetic_table::fill_page(const std::vector<Synthetic_column> &columns) {
  byte *page = m_page.get();
  ulint used = PAGE_NEW_SUPREMUM_END;
  ulint last = PAGE_NEW_INFIMUM;
  for (;;) {
    const Record record = make_record(columns, m_rows);
    if (used + record.size() > srv_page_size - FIL_PAGE_DATA_END) break;
    const ulint origin = used + record.before.size();
    for (std::size_t i = 0; i < record.before.size(); ++i) {
      page[origin - 1 - i] = static_cast<byte>(record.before[i]);
    }
    std::memcpy(page + origin, record.behind.data(), record.behind.size());
    write_next(page, last, origin);
    last = origin;
    used += record.size();
    ++m_rows;
  }
  write_next(page, last, PAGE_NEW_SUPREMUM);
  mach_write_to_2(page + PAGE_HEADER + PAGE_HEAP_TOP, used);
}

}  // namespace pq
