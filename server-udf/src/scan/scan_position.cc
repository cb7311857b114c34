#include "scan/scan_position.h"

#include "pure/reply.h"
#include "tree/bounds.h"

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

void Scan_position::begin_batch() {
  m_place.end = Batch_end::more;
  m_place.unchanged = 0;
  m_place.validator.clear();
}

void Scan_position::go_to(std::vector<Written_value> key) {
  m_after = std::move(key);
  m_last.reset();
}

Result<std::unique_ptr<Saved_key>> Scan_position::start(const Table_lease &lease) const {
  const dict_index_t *index = lease.tree()->index;
  if (m_last) {
    auto saved = std::make_unique<Saved_key>(index, m_last->size());
    saved->save(std::vector<Field_value>(m_last->begin(), m_last->end()));
    return saved;
  }
  return make_key_of_row(*lease.tree(), lease.parts(), m_after, "options.after");
}

Result<void> Scan_position::set_cursor(const Table_lease &lease) {
  m_place.cursor.clear();
  if (m_place.end == Batch_end::range_ended || m_place.end == Batch_end::unchanged) return {};
  if (!m_last) {
    if (!m_after.empty()) m_place.cursor = write_cursor(m_after);
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
