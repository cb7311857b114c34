#include "leaf/record_layout.h"

#include <algorithm>

namespace pq {

namespace {

// Offsets of all fields that a record can have, and what InnoDB keeps before them.
constexpr std::size_t most_offsets = REC_MAX_N_FIELDS + 16;

bool is_fixed(const dict_field_t *field) {
  return !field->col->is_nullable() && field->fixed_len > 0;
}

// Reads the length that stands before the place, and moves the place before it. Returns whether the
// rest of the cell is elsewhere.
bool read_length(const byte *&lengths, bool big, std::size_t &size) noexcept {
  size = *lengths--;
  if (!big || (size & 0x80) == 0) return false;
  size = size << 8 | *lengths--;
  const bool off_page = (size & 0x4000) != 0;
  size &= 0x3FFF;
  return off_page;
}

}  // namespace

// Tables that had columns added by MySQL 8.0.28 or earlier have records of yet another kind.
Record_layout::Record_layout(const dict_index_t *index, const std::vector<Column> &columns)
    : m_index(index),
      m_columns(columns),
      m_by_offsets(index->has_instant_cols() || !dict_table_is_comp(index->table)),
      m_writer_distance(index->trx_id_offset),
      m_versions(index->has_row_versions() ? index->table->current_row_version + 1 : 1) {
  if (m_by_offsets) return;
  for (std::size_t i = 0; i < m_versions.size(); ++i) {
    m_versions[i].null_bytes = null_bytes_of(static_cast<row_version_t>(i));
  }
  if (m_writer_distance == 0) find_key();
  find_fixed_columns();
}

// Where a column stands among those wanted; `unwanted` if it does not.
std::int32_t Record_layout::wanted_at(const dict_field_t *field) const {
  const auto number = static_cast<ulint>(field - m_index->get_field(0));
  const auto found = std::ranges::find(m_columns, number, &Column::field);
  return found == m_columns.end() ? unwanted : static_cast<std::int32_t>(found - m_columns.begin());
}

bool Record_layout::is_in_each_version(const dict_field_t *field) {
  return !field->col->is_instant_added() && !field->col->is_instant_dropped();
}

// Its fields come first in each row version, and none of them is nullable.
void Record_layout::find_key() {
  m_key_varies = true;
  m_first_fixed = m_index->get_sys_col_pos(DATA_TRX_ID);
  for (ulint i = 0; i < m_first_fixed; ++i) {
    const dict_field_t *field = m_index->get_field(i);
    m_fixed_key_bytes += field->fixed_len;
    if (field->fixed_len == 0) m_big_key_fields.push_back(DATA_BIG_COL(field->col) ? 1 : 0);
  }
}

void Record_layout::find_fixed_columns() {
  m_fixed_end = m_first_fixed;
  for (; m_fixed_end < dict_index_get_n_fields(m_index); ++m_fixed_end) {
    const dict_field_t *field = m_index->get_physical_field(m_fixed_end);
    if (!is_fixed(field) || !is_in_each_version(field)) break;
    const std::int32_t column = wanted_at(field);
    if (column != unwanted) {
      m_fixed.push_back({static_cast<std::size_t>(column), static_cast<std::uint32_t>(m_fixed_size),
                         field->fixed_len});
      m_fixed_bytes = m_fixed_size + field->fixed_len;
    }
    m_fixed_size += field->fixed_len;
  }
  m_has_steps = m_fixed.size() < m_columns.size();
}

bool Record_layout::is_fixed_in_each_record(ulint physical_field) const {
  return physical_field >= m_first_fixed && physical_field < m_fixed_end;
}

void Record_layout::describe(Cell_block &cells) const {
  for (std::size_t i = 0; i < m_columns.size(); ++i) cells.unfix(i);
  for (const auto &[column, distance, size] : m_fixed) cells.fix(column, distance, size);
}

std::size_t Record_layout::null_bytes_of(row_version_t number) const noexcept {
  return UT_BITS_IN_BYTES(m_index->has_row_versions() ? m_index->get_nullable_in_version(number)
                                                      : m_index->n_nullable);
}

// As get_rec_insert_state (rem/rec.h): records that were written before the first change have no
// number. Moves `nulls` to the bits of NULLs. Null if the number is none.
Record_layout::Row_version *Record_layout::version_of(const rec_t *rec,
                                                      const byte **nulls) noexcept {
  if (m_versions.size() == 1 || !rec_new_is_versioned(rec)) return &m_versions.front();
  const std::size_t number = *(*nulls)--;
  return number < m_versions.size() ? &m_versions[number] : nullptr;
}

Record_layout::Absent Record_layout::absent(std::size_t column, const byte *value, ulint size) {
  static constexpr byte nothing = 0;
  if (size == UNIV_SQL_NULL) return {column, nullptr, 0};
  return {column, size == 0 ? &nothing : value, size};
}

void Record_layout::add_step(Row_version &version, const dict_field_t *field, std::int32_t column) {
  const Step step{field->col->is_nullable(), DATA_BIG_COL(field->col), field->fixed_len, column};
  const auto is_skipped = [](const Step &one) {
    return !one.nullable && one.fixed > 0 && one.column == unwanted;
  };
  // What precedes a cell at a fixed distance is skipped at once.
  if (!version.steps.empty() && is_skipped(version.steps.back()) && is_skipped(step)) {
    version.steps.back().fixed += step.fixed;
  } else {
    version.steps.push_back(step);
  }
}

// As rec_init_offsets_comp_ordinary (rem/rec.h) reads a record of the formats COMPACT and DYNAMIC.
void Record_layout::find_steps(Row_version &version, row_version_t number) const {
  version.is_known = true;
  const ulint first = m_key_varies ? 0 : m_fixed_end;
  for (ulint i = first; i < dict_index_get_n_fields(m_index); ++i) {
    const dict_field_t *field = m_index->get_physical_field(i);
    if (m_versions.size() > 1 && field->col->is_dropped_in_or_before(number)) continue;
    if (m_versions.size() > 1 && field->col->is_added_after(number)) {
      const std::int32_t column = wanted_at(field);
      if (column == unwanted) continue;
      ulint size = 0;
      const byte *value = m_index->get_nth_default(i, &size);
      version.absent.push_back(absent(static_cast<std::size_t>(column), value, size));
      version.absent_bytes += version.absent.back().size;
      continue;
    }
    add_step(version, field, is_fixed_in_each_record(i) ? unwanted : wanted_at(field));
  }
  while (!version.steps.empty() && version.steps.back().column == unwanted) {
    version.steps.pop_back();
  }
}

// `damaged` if the record cannot be read.
std::size_t Record_layout::key_bytes(const rec_t *rec) const noexcept {
  const byte *nulls = rec - (REC_N_NEW_EXTRA_BYTES + 1);
  row_version_t number = 0;
  if (m_versions.size() > 1 && rec_new_is_versioned(rec)) number = *nulls--;
  if (number >= m_versions.size()) return damaged;
  const byte *lengths = nulls - m_versions[number].null_bytes;
  std::size_t bytes = m_fixed_key_bytes;
  for (const char big : m_big_key_fields) {
    std::size_t size = 0;
    if (read_length(lengths, big != 0, size)) return damaged;
    bytes += size;
  }
  return bytes;
}

// The writer stands behind the key.
trx_id_t Record_layout::find_writer(const rec_t *rec, const byte *limit) const noexcept {
  if (m_by_offsets) return find_writer_by_offsets(rec, limit);
  const auto room = static_cast<std::size_t>(limit - rec);
  const std::size_t distance = key_bytes(rec);
  if (distance > room || room - distance < DATA_TRX_ID_LEN) return no_writer;
  return mach_read_from_6(rec + distance);
}

trx_id_t Record_layout::find_writer_by_offsets(const rec_t *rec, const byte *limit) const noexcept {
  const ulint field = m_index->get_sys_col_pos(DATA_TRX_ID);
  ulint offsets_buffer[REC_OFFS_NORMAL_SIZE];
  rec_offs_init(offsets_buffer);
  mem_heap_t *heap = nullptr;
  // A key has few fields, so that nothing is put on the heap.
  const ulint *offsets =
      rec_get_offsets(rec, m_index, offsets_buffer, field + 1, UT_LOCATION_HERE, &heap);
  if (rec_offs_data_size(offsets) > static_cast<std::size_t>(limit - rec)) return no_writer;
  ulint size = 0;
  return mach_read_from_6(rec_get_nth_field(m_index, rec, offsets, field, &size));
}

std::size_t Record_layout::locate_by_steps(const rec_t *rec, const byte *limit, std::uint32_t row,
                                           Cell_block &cells) {
  const byte *nulls = rec - (REC_N_NEW_EXTRA_BYTES + 1);
  Row_version *version = version_of(rec, &nulls);
  if (version == nullptr) return damaged;
  if (!version->is_known) {
    find_steps(*version, static_cast<row_version_t>(version - m_versions.data()));
  }
  const byte *lengths = nulls - version->null_bytes;
  unsigned null_bit = 1;
  const byte *cell = m_key_varies ? rec : rec + m_fixed_size;
  for (const Step &step : version->steps) {
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
    const bool off_page = size == 0 && read_length(lengths, step.big, size);
    if (step.column != unwanted) {
      const auto column = static_cast<std::size_t>(step.column);
      cells.set(column, row, cell, size);
      if (off_page) cells.add_off_page(column, row);
    }
    cell += size;
  }
  for (const Absent &one : version->absent) cells.set(one.column, row, one.value, one.size);
  const auto bytes = static_cast<std::size_t>(cell - rec);
  if (bytes > static_cast<std::size_t>(limit - rec)) return damaged;
  return bytes + version->absent_bytes;
}

std::size_t Record_layout::locate_by_offsets(const rec_t *rec, const byte *limit, std::uint32_t row,
                                             Cell_block &cells) const {
  if (m_columns.empty()) return 0;
  ulint offsets_buffer[most_offsets];
  rec_offs_init(offsets_buffer);
  mem_heap_t *heap = nullptr;
  const ulint *offsets =
      rec_get_offsets(rec, m_index, offsets_buffer, ULINT_UNDEFINED, UT_LOCATION_HERE, &heap);
  if (rec_offs_data_size(offsets) > static_cast<std::size_t>(limit - rec)) return damaged;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const auto [field, expected] = m_columns[i];
    if (field >= rec_offs_n_fields(offsets)) return damaged;
    ulint size = 0;
    const byte *cell = rec_get_nth_field_instant(rec, offsets, field, m_index, &size);
    if (size == UNIV_SQL_NULL) {
      cells.set(i, row, nullptr, 0);
      continue;
    }
    if (expected != 0 && size != expected) return damaged;
    cells.set(i, row, cell, size);
    if (rec_offs_nth_extern(m_index, offsets, field) != 0) cells.add_off_page(i, row);
    bytes += size;
  }
  return bytes;
}

}  // namespace pq
