#include "leaf/record_layout.h"

#include <algorithm>

namespace pq {

namespace {

// Offsets of all fields that a record can have, and what InnoDB keeps before them.
constexpr std::size_t most_offsets = REC_MAX_N_FIELDS + 16;

}  // namespace

Record_layout::Record_layout(const dict_index_t *index, const std::vector<Column> &columns)
    : m_index(index),
      m_columns(columns),
      m_by_offsets(index->has_instant_cols_or_row_versions() || !dict_table_is_comp(index->table)),
      m_null_bytes(UT_BITS_IN_BYTES(index->n_nullable)),
      m_trx_id_field(index->get_sys_col_pos(DATA_TRX_ID)) {
  if (m_by_offsets) return;
  std::vector<std::int32_t> wanted(index->n_fields, unwanted);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    wanted[columns[i].field] = static_cast<std::int32_t>(i);
  }
  std::size_t found = 0;
  for (ulint i = 0; i < index->n_fields && found < columns.size(); ++i) {
    add_step(index->get_field(i), wanted[i]);
    if (wanted[i] != unwanted) ++found;
  }
}

void Record_layout::add_step(const dict_field_t *field, std::int32_t column) {
  const Step step{field->col->is_nullable(), DATA_BIG_COL(field->col), field->fixed_len, column};
  const auto is_fixed = [](const Step &one) { return !one.nullable && one.fixed > 0; };
  // What precedes a cell at a fixed distance is skipped at once.
  if (!m_steps.empty() && m_steps.back().column == unwanted && is_fixed(m_steps.back()) &&
      column == unwanted && is_fixed(step)) {
    m_steps.back().fixed += step.fixed;
  } else {
    m_steps.push_back(step);
  }
}

std::optional<trx_id_t> Record_layout::trx_id(const rec_t *rec, const byte *limit) const noexcept {
  const auto room = static_cast<std::size_t>(limit - rec);
  if (m_index->trx_id_offset != 0) {
    if (m_index->trx_id_offset + DATA_TRX_ID_LEN > room) return std::nullopt;
    return mach_read_from_6(rec + m_index->trx_id_offset);
  }
  ulint offsets_buffer[REC_OFFS_NORMAL_SIZE];
  rec_offs_init(offsets_buffer);
  mem_heap_t *heap = nullptr;
  // A key has few fields, so that nothing is put on the heap.
  const ulint *offsets =
      rec_get_offsets(rec, m_index, offsets_buffer, m_trx_id_field + 1, UT_LOCATION_HERE, &heap);
  if (rec_offs_data_size(offsets) > room) return std::nullopt;
  ulint size = 0;
  return mach_read_from_6(rec_get_nth_field(m_index, rec, offsets, m_trx_id_field, &size));
}

// As rec_init_offsets_comp_ordinary (rem/rec.h) reads a record of the formats COMPACT and DYNAMIC
// whose columns are all those of the table.
std::optional<std::size_t> Record_layout::locate(const rec_t *rec, const byte *limit,
                                                 std::uint32_t row, Cell_block &cells) const {
  if (m_by_offsets) return locate_by_offsets(rec, limit, row, cells);
  const byte *nulls = rec - (REC_N_NEW_EXTRA_BYTES + 1);
  const byte *lengths = nulls - m_null_bytes;
  unsigned null_bit = 1;
  const byte *cell = rec;
  for (const Step &step : m_steps) {
    if (step.nullable) {
      if (null_bit == 0x100) {
        --nulls;
        null_bit = 1;
      }
      const bool is_null = (*nulls & null_bit) != 0;
      null_bit <<= 1;
      if (is_null) {
        if (step.column != unwanted) {
          cells.set(static_cast<std::size_t>(step.column), row, nullptr, 0);
        }
        continue;
      }
    }
    std::size_t size = step.fixed;
    bool off_page = false;
    if (size == 0) {
      size = *lengths--;
      if (step.big && (size & 0x80) != 0) {
        size = size << 8 | *lengths--;
        off_page = (size & 0x4000) != 0;
        size &= 0x3FFF;
      }
    }
    if (step.column != unwanted) {
      const auto column = static_cast<std::size_t>(step.column);
      cells.set(column, row, cell, size);
      if (off_page) cells.add_off_page(column, row);
    }
    cell += size;
  }
  if (cell > limit) return std::nullopt;
  return static_cast<std::size_t>(cell - rec);
}

std::optional<std::size_t> Record_layout::locate_by_offsets(const rec_t *rec, const byte *limit,
                                                            std::uint32_t row,
                                                            Cell_block &cells) const {
  ulint offsets_buffer[most_offsets];
  rec_offs_init(offsets_buffer);
  mem_heap_t *heap = nullptr;
  const ulint *offsets =
      rec_get_offsets(rec, m_index, offsets_buffer, ULINT_UNDEFINED, UT_LOCATION_HERE, &heap);
  if (rec_offs_data_size(offsets) > static_cast<std::size_t>(limit - rec)) return std::nullopt;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const auto [field, expected] = m_columns[i];
    if (field >= rec_offs_n_fields(offsets)) return std::nullopt;
    ulint size = 0;
    const byte *cell = rec_get_nth_field_instant(rec, offsets, field, m_index, &size);
    if (size == UNIV_SQL_NULL) {
      cells.set(i, row, nullptr, 0);
      continue;
    }
    if (expected != 0 && size != expected) return std::nullopt;
    cells.set(i, row, cell, size);
    if (rec_offs_nth_extern(m_index, offsets, field) != 0) cells.add_off_page(i, row);
    bytes += size;
  }
  return bytes;
}

}  // namespace pq
