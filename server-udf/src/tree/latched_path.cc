#include "tree/latched_path.h"

namespace pq {

Latched_path::Latched_path(const Tree &tree)
    : m_tree(tree), m_key_fields(dict_index_get_n_unique_in_tree(tree.index)) {
  rec_offs_init(m_offsets);
  mtr_s_lock(dict_index_get_lock(m_tree.index), m_mtr.get(), UT_LOCATION_HERE);
}

bool Latched_path::enter_child(const rec_t *node_pointer) noexcept {
  return enter(child_of(node_pointer));
}

bool Latched_path::enter(page_no_t page_no) noexcept {
  if (m_depth == max_height) return false;
  const ulint savepoint = m_mtr.get()->get_savepoint();
  buf_block_t *block =
      buf_page_get_gen(page_id_t(m_tree.index->space, page_no), dict_table_page_size(m_tree.table),
                       RW_S_LATCH, nullptr, Page_fetch::SCAN, UT_LOCATION_HERE, m_mtr.get());
  ++m_pages;
  if (block == nullptr) return false;
  const page_t *page = buf_block_get_frame(block);
  if (!is_page_of_tree(page)) return false;
  const auto level = static_cast<std::uint32_t>(btr_page_get_level(page));
  if (m_depth > 0 && level + 1 != top().level) return false;
  const rec_t *first = page_rec_get_next_const(page_get_infimum_rec(page));
  m_steps[m_depth++] = Step{block, savepoint, first, level};
  return true;
}

void Latched_path::leave() noexcept {
  const Step &last = m_steps[--m_depth];
  m_mtr.get()->release_block_at_savepoint(last.savepoint, last.block);
}

void Latched_path::seek(const dtuple_t *key, page_cur_mode_t mode) noexcept {
  page_cur_t cursor;
  cursor.index = m_tree.index;
  page_cur_search(top().block, m_tree.index, key, mode, &cursor);
  const rec_t *rec = page_cur_get_rec(&cursor);
  top().next = page_rec_is_infimum(rec) ? page_rec_get_next_const(rec) : rec;
}

bool Latched_path::is_page_of_tree(const page_t *page) const noexcept {
  const page_type_t type = fil_page_get_type(page);
  return (type == FIL_PAGE_INDEX || type == FIL_PAGE_RTREE) &&
         btr_page_get_index_id(page) == m_tree.index->id &&
         (page_is_comp(page) != 0) == dict_table_is_comp(m_tree.table);
}

page_no_t Latched_path::child_of(const rec_t *node_pointer) noexcept {
  read_offsets(node_pointer);
  return btr_node_ptr_get_child_page_no(node_pointer, m_offsets);
}

bool Latched_path::is_before(const rec_t *rec, const Saved_key &bound) noexcept {
  read_offsets(rec);
  return bound.tuple()->compare(rec, m_tree.index, m_offsets) > 0;
}

// The array is larger than any key needs (at most max_physical_key_parts fields, one more and a
// header), so nothing is ever put on a heap.
void Latched_path::read_offsets(const rec_t *rec) noexcept {
  static_assert(REC_OFFS_NORMAL_SIZE > max_physical_key_parts + 8);
  mem_heap_t *heap = nullptr;
  const ulint fields =
      is_at_leaf() ? m_key_fields : m_key_fields + 1;  // and the child's page number
  (void)rec_get_offsets(rec, m_tree.index, m_offsets, fields, UT_LOCATION_HERE, &heap);
}

std::span<const Field_value> Latched_path::key_of(const rec_t *rec) noexcept {
  read_offsets(rec);
  for (std::size_t i = 0; i < m_key_fields; ++i) {
    ulint length = 0;
    const dict_index_t *index = is_at_leaf() ? m_tree.index : nullptr;
    const byte *data = rec_get_nth_field(index, rec, m_offsets, i, &length);
    m_values[i] = std::nullopt;
    if (length != UNIV_SQL_NULL) {
      m_values[i] = std::string_view(reinterpret_cast<const char *>(data), length);
    }
  }
  return std::span(m_values).first(m_key_fields);
}

}  // namespace pq
