#include "scan/scan_position.h"

#include "pure/reply.h"

namespace pq {

void Scan_position::begin(const Tree &tree) {
  m_table_id = tree.table->id;
  m_index_id = tree.index->id;
  m_begun = true;
}

Result<void> Scan_position::check_same(const Table_lease &lease) const {
  const Tree *tree = lease.tree();
  if (tree != nullptr && tree->table->id == m_table_id && tree->index->id == m_index_id) return {};
  return fail(Code::unusable_table, "the table is not the one that the scan began with");
}

Result<void> Scan_position::set_cursor(const Table_lease &lease,
                                       const std::vector<Written_value> &after) {
  m_place.cursor.clear();
  if (m_place.end == Batch_end::range_ended || m_place.end == Batch_end::unchanged) return {};
  if (!m_last) {
    if (!after.empty()) m_place.cursor = write_cursor(after);
    return {};
  }
  Boundary values;
  for (std::size_t i = 0; i < m_last->size(); ++i) {
    const auto &stored = (*m_last)[i];
    values.emplace_back();
    if (!stored) continue;
    auto decoded = decode_key(lease.parts()[i].column, *stored);
    if (!decoded) return std::unexpected(decoded.error());
    values.back() = std::move(*decoded);
  }
  m_place.cursor = write_cursor(values);
  return {};
}

void Scan_position::count_batch(std::uint32_t rows) {
  ++m_place.number;
  m_place.rows_before += rows;
}

}  // namespace pq
