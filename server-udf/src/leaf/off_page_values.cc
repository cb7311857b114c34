#include "leaf/off_page_values.h"

#include <algorithm>
#include <cstring>

#include "server/statement_context.h"

namespace pq {

namespace {

// What a damaged record is said to have.
constexpr std::size_t beyond_all_limits = std::size_t{1} << 40;

const unsigned char *cell_of(const Cell_block &cells, const Cell_block::Off_page &cell) {
  return cells.cells(cell.column, cells.rows()).at(cell.row);
}

std::size_t size_in_record(const Cell_block &cells, const Cell_block::Off_page &cell) {
  return cells.cells(cell.column, cells.rows()).sizes[cell.row];
}

// The last bytes that the record has refer to the rest.
const byte *reference_of(const Cell_block &cells, const Cell_block::Off_page &cell) {
  return cell_of(cells, cell) + size_in_record(cells, cell) - BTR_EXTERN_FIELD_REF_SIZE;
}

std::size_t whole_size(const Cell_block &cells, const Cell_block::Off_page &cell) {
  const std::size_t size = size_in_record(cells, cell);
  if (size < BTR_EXTERN_FIELD_REF_SIZE) return beyond_all_limits;
  return size - BTR_EXTERN_FIELD_REF_SIZE +
         mach_read_from_4(reference_of(cells, cell) + lob::BTR_EXTERN_LEN + 4);
}

// Whether the reference is one that InnoDB can follow for every reader. Where it is not, SQL shall
// say what that means.
bool is_sound(const Tree &tree, const byte *reference) {
  const lob::ref_t ref(const_cast<byte *>(reference));
  return ref.space_id() == tree.index->space && ref.page_no() != FIL_NULL && ref.page_no() != 0 &&
         ref.length() > 0 && !ref.is_being_modified();
}

}  // namespace

std::size_t Off_page_values::sum_of_row(const Cell_block &cells, std::uint32_t row) {
  std::size_t bytes = 0;
  const auto &off_page = cells.off_page();
  for (auto cell = off_page.rbegin(); cell != off_page.rend() && cell->row == row; ++cell) {
    bytes += whole_size(cells, *cell);
  }
  return bytes;
}

void Off_page_values::prepare(Cell_block &cells, std::uint32_t rows) {
  const auto &off_page = cells.off_page();
  m_rows = rows;
  m_values.clear();
  std::size_t end = 0;
  for (auto first = off_page.begin(); first != off_page.end() && first->row < rows;) {
    const auto next = std::find_if(first, off_page.end(),
                                   [first](const auto &cell) { return cell.row != first->row; });
    std::size_t bytes = 0;
    for (auto cell = first; cell != next; ++cell) {
      const std::size_t size = whole_size(cells, *cell);
      m_values.push_back({State::unread, end + bytes, size});
      bytes += size;
    }
    if (bytes <= m_most_bytes_of_row) {
      end += bytes;
    } else {
      const auto values = static_cast<std::ptrdiff_t>(next - first);
      std::for_each(m_values.end() - values, m_values.end(),
                    [](Value &value) { value.state = State::too_large; });
    }
    first = next;
  }
  if (end <= m_capacity) return;
  m_memory.reset();
  m_memory = std::make_unique_for_overwrite<char[]>(end);
  m_capacity = end;
}

Result<std::uint32_t> Off_page_values::read(THD *thd, const Tree &tree, Cell_block &cells,
                                            std::span<const std::size_t> columns,
                                            std::span<const std::uint32_t> rows) {
  for (std::size_t i = 0; i < m_values.size(); ++i) {
    const Cell_block::Off_page cell = cells.off_page()[i];
    if (m_values[i].state == State::read || !std::ranges::binary_search(rows, cell.row) ||
        std::ranges::find(columns, cell.column) == columns.end()) {
      continue;
    }
    if (auto running = check_interrupted(thd); !running) return std::unexpected(running.error());
    if (!read_value(thd, tree, cells, cell, m_values[i])) return cell.row;
  }
  return m_rows;
}

bool Off_page_values::read_value(THD *thd, const Tree &tree, Cell_block &cells,
                                 const Cell_block::Off_page &cell, Value &value) {
  const page_size_t page_size = dict_table_page_size(tree.table);
  // Values of compressed tables are read under exclusive latches.
  if (value.state == State::too_large || page_size.is_compressed()) return false;
  const byte *reference = reference_of(cells, cell);
  if (!is_sound(tree, reference)) return false;
  char *to = m_memory.get() + value.at;
  const std::size_t begin = size_in_record(cells, cell) - BTR_EXTERN_FIELD_REF_SIZE;
  std::memcpy(to, cell_of(cells, cell), begin);
  // Given the begin too, InnoDB's function would look for the reference in the wrong place.
  const ulint read = lob::btr_copy_externally_stored_field_prefix(
      thd_to_trx(thd), tree.index, reinterpret_cast<byte *>(to + begin), value.size - begin,
      page_size, reference, false, BTR_EXTERN_FIELD_REF_SIZE);
  if (read != value.size - begin) return false;
  cells.set(cell.column, cell.row, reinterpret_cast<const unsigned char *>(to), value.size);
  value.state = State::read;
  return true;
}

}  // namespace pq
