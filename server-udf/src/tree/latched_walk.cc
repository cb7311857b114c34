#include "tree/latched_walk.h"

namespace pq {

Latched_walk::Latched_walk(const Tree &tree, const Saved_key *upper, Key_sample &sample,
                           Walk_summary &summary)
    : m_tree(tree), m_upper(upper), m_sample(sample), m_summary(summary), m_path(tree) {}

bool Latched_walk::read_root() noexcept {
  if (!entered(m_path.enter_root())) return false;
  m_summary.height = m_path.top().level + 1;
  m_summary.root_records = page_get_n_recs(buf_block_get_frame(m_path.top().block));
  return true;
}

Stretch_end Latched_walk::collect(std::uint32_t level, const Walk_start &start,
                                  Saved_key &resume) noexcept {
  m_start = start;
  m_seeking = start.key != nullptr;
  if (!entered(m_path.enter_root())) return Stretch_end::corrupted;
  // The tree may have shrunk below that level since it was chosen.
  if (m_path.top().level < level) return Stretch_end::finished;
  arrive(level);
  while (!m_path.is_empty()) {
    Latched_path::Step &top = m_path.top();
    const rec_t *rec = top.next;
    if (page_rec_is_supremum(rec) || is_past_upper(rec)) {
      m_path.leave();
      continue;
    }
    if (top.level == level) {
      offer(rec, level == 0);
    } else if (m_path.pages() >= max_pages_per_hold) {
      resume.save(m_path.key_of(rec));
      return Stretch_end::to_be_continued;
    } else {
      if (!entered(m_path.enter_child(rec))) return Stretch_end::corrupted;
      arrive(level);
    }
    top.next = page_rec_get_next_const(rec);
  }
  return Stretch_end::finished;
}

bool Latched_walk::entered(bool good) noexcept {
  ++m_summary.pages_read;
  return good;
}

// Takes note of the page just latched.
void Latched_walk::arrive(std::uint32_t target) noexcept {
  const Latched_path::Step &top = m_path.top();
  if (top.level == target) count_page(buf_block_get_frame(top.block));
  if (m_seeking) seek(target);
}

// Places the path at the start key in the page just latched.
void Latched_walk::seek(std::uint32_t target) noexcept {
  const bool at_target = m_path.top().level == target;
  m_path.seek(m_start.key, at_target ? m_start.target_mode : m_start.above_mode);
  m_seeking = !at_target;
}

bool Latched_walk::is_past_upper(const rec_t *rec) noexcept {
  return m_upper != nullptr && !m_path.is_before(rec, *m_upper);
}

void Latched_walk::offer(const rec_t *rec, bool leaf) noexcept {
  // The first record of a level stands for "from the beginning"; its key means nothing.
  if ((rec_get_info_bits(rec, dict_table_is_comp(m_tree.table)) & REC_INFO_MIN_REC_FLAG) != 0) {
    return;
  }
  const bool separates_nothing = leaf && m_start.is_first;
  m_start.is_first = false;
  if (!separates_nothing) m_sample.offer(m_path.key_of(rec));
}

void Latched_walk::count_page(const page_t *page) noexcept {
  ++m_summary.pages_on_level;
  m_summary.records_on_level += page_get_n_recs(page);
  m_summary.bytes_on_level += page_get_data_size(page);
}

}  // namespace pq
