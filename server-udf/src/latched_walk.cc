#include "latched_walk.h"

namespace pq {

Latched_walk::Latched_walk(const Tree &tree, const Saved_key *upper, Key_sample &sample,
                           Walk_summary &summary)
    : m_tree(tree),
      m_upper(upper),
      m_sample(sample),
      m_summary(summary),
      m_key_fields(dict_index_get_n_unique_in_tree(tree.index)) {
  rec_offs_init(m_offsets);
  mtr_s_lock(dict_index_get_lock(m_tree.index), m_mtr.get(), UT_LOCATION_HERE);
}

bool Latched_walk::read_root() noexcept {
  if (!push(m_tree.index->page)) return false;
  m_summary.height = m_path[0].level + 1;
  m_summary.root_records = page_get_n_recs(buf_block_get_frame(m_path[0].block));
  return true;
}

Stretch_end Latched_walk::collect(std::uint32_t level, const Walk_start &start,
                                  Saved_key &resume) noexcept {
  m_start = start;
  m_seeking = start.key != nullptr;
  if (!push(m_tree.index->page)) return Stretch_end::corrupted;
  // The tree may have shrunk below that level since it was chosen.
  if (m_path[0].level < level) return Stretch_end::finished;
  arrive(level);
  while (m_depth > 0) {
    Step &top = m_path[m_depth - 1];
    const rec_t *rec = top.next;
    if (page_rec_is_supremum(rec) || is_past_upper(rec, top.level == 0)) {
      pop();
      continue;
    }
    if (top.level == level) {
      offer(rec, level == 0);
    } else if (m_pages >= max_pages_per_hold) {
      resume.save(read_key(rec, false));
      return Stretch_end::to_be_continued;
    } else {
      read_offsets(rec, false);
      if (!push(btr_node_ptr_get_child_page_no(rec, m_offsets))) return Stretch_end::corrupted;
      arrive(level);
    }
    top.next = page_rec_get_next_const(rec);
  }
  return Stretch_end::finished;
}

// Latches a page below the last one of the path and places the path before its first record.
bool Latched_walk::push(page_no_t page_no) noexcept {
  if (m_depth == max_height) return false;
  const ulint savepoint = m_mtr.get()->get_savepoint();
  buf_block_t *block =
      buf_page_get_gen(page_id_t(m_tree.index->space, page_no), dict_table_page_size(m_tree.table),
                       RW_S_LATCH, nullptr, Page_fetch::SCAN, UT_LOCATION_HERE, m_mtr.get());
  ++m_pages;
  ++m_summary.pages_read;
  if (block == nullptr) return false;
  const page_t *page = buf_block_get_frame(block);
  if (!is_page_of_tree(page)) return false;
  const auto level = static_cast<std::uint32_t>(btr_page_get_level(page));
  if (m_depth > 0 && level + 1 != m_path[m_depth - 1].level) return false;
  const rec_t *first = page_rec_get_next_const(page_get_infimum_rec(page));
  m_path[m_depth++] = Step{block, savepoint, first, level};
  return true;
}

void Latched_walk::pop() noexcept {
  const Step &top = m_path[--m_depth];
  m_mtr.get()->release_block_at_savepoint(top.savepoint, top.block);
}

// Takes note of the page just latched.
void Latched_walk::arrive(std::uint32_t target) noexcept {
  const Step &top = m_path[m_depth - 1];
  if (top.level == target) count_page(buf_block_get_frame(top.block));
  if (m_seeking) seek(target);
}

// Places the path at the start key in the page just latched.
void Latched_walk::seek(std::uint32_t target) noexcept {
  Step &top = m_path[m_depth - 1];
  page_cur_t cursor;
  cursor.index = m_tree.index;
  page_cur_search(top.block, m_tree.index, m_start.key,
                  top.level == target ? m_start.target_mode : m_start.above_mode, &cursor);
  const rec_t *rec = page_cur_get_rec(&cursor);
  top.next = page_rec_is_infimum(rec) ? page_rec_get_next_const(rec) : rec;
  m_seeking = top.level != target;
}

bool Latched_walk::is_page_of_tree(const page_t *page) const noexcept {
  const page_type_t type = fil_page_get_type(page);
  return (type == FIL_PAGE_INDEX || type == FIL_PAGE_RTREE) &&
         btr_page_get_index_id(page) == m_tree.index->id &&
         (page_is_comp(page) != 0) == dict_table_is_comp(m_tree.table);
}

bool Latched_walk::is_past_upper(const rec_t *rec, bool leaf) noexcept {
  if (m_upper == nullptr) return false;
  read_offsets(rec, leaf);
  return m_upper->tuple()->compare(rec, m_tree.index, m_offsets) <= 0;
}

// The array is larger than any key needs (at most max_physical_key_parts fields, one more and a header),
// so nothing is ever put on a heap.
void Latched_walk::read_offsets(const rec_t *rec, bool leaf) noexcept {
  static_assert(REC_OFFS_NORMAL_SIZE > max_physical_key_parts + 8);
  mem_heap_t *heap = nullptr;
  const ulint fields = leaf ? m_key_fields : m_key_fields + 1;  // and the child's page number
  (void)rec_get_offsets(rec, m_tree.index, m_offsets, fields, UT_LOCATION_HERE, &heap);
}

std::span<const Field_value> Latched_walk::read_key(const rec_t *rec, bool leaf) noexcept {
  read_offsets(rec, leaf);
  for (std::size_t i = 0; i < m_key_fields; ++i) {
    ulint length = 0;
    const byte *data = rec_get_nth_field(leaf ? m_tree.index : nullptr, rec, m_offsets, i, &length);
    m_values[i] = std::nullopt;
    if (length != UNIV_SQL_NULL) {
      m_values[i] = std::string_view(reinterpret_cast<const char *>(data), length);
    }
  }
  return std::span(m_values).first(m_key_fields);
}

void Latched_walk::offer(const rec_t *rec, bool leaf) noexcept {
  // The first record of a level stands for "from the beginning"; its key means nothing.
  if ((rec_get_info_bits(rec, dict_table_is_comp(m_tree.table)) & REC_INFO_MIN_REC_FLAG) != 0) {
    return;
  }
  const bool separates_nothing = leaf && m_start.is_first;
  m_start.is_first = false;
  if (!separates_nothing) m_sample.offer(read_key(rec, leaf));
}

void Latched_walk::count_page(const page_t *page) noexcept {
  ++m_summary.pages_on_level;
  m_summary.records_on_level += page_get_n_recs(page);
  m_summary.bytes_on_level += page_get_data_size(page);
}

}  // namespace pq
