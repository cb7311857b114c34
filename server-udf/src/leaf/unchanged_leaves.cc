#include "leaf/unchanged_leaves.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "server/statement_context.h"

namespace pq {

namespace {

// The end of the log after the last change of a page; the page is latched. A page that is flushed
// gets its number by and by, and meanwhile the block has it. What was read from disk again has it
// on the page only.
lsn_t last_change(const buf_block_t *block) {
  const lsn_t on_page = mach_read_from_8(buf_block_get_frame(block) + FIL_PAGE_LSN);
  return std::max(on_page, block->page.get_newest_lsn());
}

// A hold looks at two pages again, and may begin a page earlier than the scan did. Links of damaged
// pages may lead in a circle.
std::uint64_t most_pages(const Unchanged_leaves::Wanted &wanted) { return 2 * wanted.pages + 64; }

}  // namespace

Unchanged_leaves::Unchanged_leaves(THD *thd, const Tree &tree, const Page_copies &copies)
    : m_thd(thd),
      m_tree(tree),
      m_copies(copies),
      m_format(tree),
      m_resume(tree.index, dict_index_get_n_unique_in_tree(tree.index)) {}

Result<bool> Unchanged_leaves::check(const Saved_key *start, const Wanted &wanted) {
  for (;;) {
    if (auto running = check_interrupted(m_thd); !running) return std::unexpected(running.error());
    // What others wait for is short, and goes first.
    std::this_thread::yield();
    const Outcome outcome = look_at_some(start, wanted);
    if (outcome != Outcome::paused) return outcome == Outcome::unchanged;
    if (const auto resumed = set_resumption(); !resumed || !*resumed) return resumed;
    start = &m_resume;
  }
}

// The leaf that it ends at is looked at again by the next hold: it is not latched meanwhile.
Unchanged_leaves::Outcome Unchanged_leaves::look_at_some(const Saved_key *start,
                                                         const Wanted &wanted) noexcept {
  Read_mtr mtr;
  btr_pcur_t cursor;
  if (start == nullptr) {
    cursor.open_at_side(true, m_tree.index, BTR_SEARCH_LEAF, true, 0, mtr.get());
  } else {
    cursor.open(m_tree.index, 0, start->tuple(), PAGE_CUR_GE, BTR_SEARCH_LEAF, mtr.get(),
                UT_LOCATION_HERE);
  }
  buf_block_t *block = cursor.get_block();
  if (!m_format.is_leaf_of_tree(buf_block_get_frame(block))) return Outcome::changed;
  for (std::uint32_t i = 0;; ++i) {
    if (last_change(block) > wanted.lsn) return Outcome::changed;
    if (block->page.id.page_no() == wanted.last) return Outcome::unchanged;
    if (m_pages > most_pages(wanted)) return Outcome::changed;
    if (i == pages_of_hold) {
      return m_format.copy(buf_block_get_frame(block), m_copies.page(0)) ? Outcome::paused
                                                                         : Outcome::changed;
    }
    if (btr_page_get_next(buf_block_get_frame(block), mtr.get()) == FIL_NULL) {
      return Outcome::changed;
    }
    block = latch_next_leaf(m_tree, m_format, block, mtr, Page_fetch::PEEK_IF_IN_POOL);
    if (block == nullptr) return Outcome::changed;
    ++m_pages;
  }
}

// At the first record of the leaf that was copied. False if there is none.
Result<bool> Unchanged_leaves::set_resumption() {
  const byte *copy = m_copies.page(0);
  const ulint first = m_format.first_offset(copy);
  if (first == 0 || first == m_format.supremum()) return false;
  const auto key = read_key(m_tree.index, copy + first, copy + srv_page_size);
  if (!key) return std::unexpected(key.error());
  m_resume.save(std::vector<Field_value>(key->begin(), key->end()));
  return true;
}

}  // namespace pq
