#include "tree/leaf_list.h"

#include <algorithm>

#include "server/statement_context.h"
#include "tree/latched_path.h"

namespace pq {

namespace {

constexpr std::uint32_t max_pages_of_hold = 16;

}  // namespace

Leaf_list::Leaf_list(THD *thd, const Tree &tree, const Saved_key *upper)
    : m_thd(thd),
      m_tree(tree),
      m_upper(upper),
      m_first(tree.index, dict_index_get_n_unique_in_tree(tree.index)),
      m_second(tree.index, dict_index_get_n_unique_in_tree(tree.index)) {}

// A key with fewer parts than the index may have rows in the leaf before, too.
void Leaf_list::begin_at(const Saved_key *key) {
  m_start = key == nullptr ? nullptr : key->tuple();
  m_mode = PAGE_CUR_L;
  m_ended = false;
}

Result<void> Leaf_list::list(std::uint32_t wanted, std::vector<page_no_t> &numbers) {
  const std::size_t full = std::min<std::size_t>(numbers.size() + wanted, numbers.capacity());
  while (!m_ended && numbers.size() < full) {
    if (auto running = check_interrupted(m_thd); !running) return running;
    const Outcome outcome = list_some(full, numbers);
    if (outcome == Outcome::corrupted) {
      return fail(Code::unusable_table,
                  "a page of the index is damaged or belongs to another index");
    }
    m_ended = outcome == Outcome::good;
    if (m_ended) break;
    m_start = m_next->tuple();
    m_mode = PAGE_CUR_LE;
    m_next = m_next == &m_first ? &m_second : &m_first;  // the start is still read
  }
  return {};
}

// Up to a number, or the limit of pages; the next key then tells where to go on.
Leaf_list::Outcome Leaf_list::list_some(std::size_t wanted,
                                        std::vector<page_no_t> &numbers) noexcept {
  Latched_path path(m_tree);
  if (!path.enter_root()) return Outcome::corrupted;
  if (path.top().level == 0) return Outcome::good;
  bool seeking = m_start != nullptr;
  if (seeking) path.seek(m_start, m_mode);
  while (!path.is_empty()) {
    Latched_path::Step &top = path.top();
    const rec_t *rec = top.next;
    seeking = seeking && top.level > 1;
    if (page_rec_is_supremum(rec) || (m_upper != nullptr && !path.is_before(rec, *m_upper))) {
      path.leave();
      continue;
    }
    if (top.level == 1 ? numbers.size() == wanted : path.pages() >= max_pages_of_hold) {
      m_next->save(path.key_of(rec));
      return Outcome::paused;
    }
    top.next = page_rec_get_next_const(rec);
    if (top.level == 1) {
      numbers.push_back(path.child_of(rec));
    } else {
      if (!path.enter_child(rec)) return Outcome::corrupted;
      if (seeking) path.seek(m_start, m_mode);
    }
  }
  return Outcome::good;
}

}  // namespace pq
