#include "tree/subtree_walk.h"

#include "pure/utf8.h"
#include "server/settings.h"
#include "server/statement_context.h"
#include "tree/latched_walk.h"

namespace pq {

namespace {

std::unexpected<Error> corrupted(const Tree &tree) {
  return fail(Code::unusable_table,
              "a page of index '" + printable(tree.index->name()) + "' belongs to another index");
}

// Where a walk inside a lower bound begins. On the levels above, the last node pointer that is not
// behind the bound, because its subtree may reach into it; of keys that a partial bound is equal
// to, some may be in the subtree before the first. A full key that stands at the bound itself
// separates nothing, also where it is the first of its page and so stands on the level above too; a
// partial one has keys before it.
Walk_start start_of(const Walk_bounds &bounds, std::size_t key_fields) {
  if (bounds.lower == nullptr) return {};
  const bool full = bounds.lower->fields() == key_fields;
  if (full) return {bounds.lower->tuple(), PAGE_CUR_LE, PAGE_CUR_G, true};
  return {bounds.lower->tuple(), PAGE_CUR_L, PAGE_CUR_GE, true};
}

}  // namespace

Subtree_walk::Subtree_walk(THD *thd, const Tree &tree, const Walk_bounds &bounds,
                           Key_sample &sample)
    : m_thd(thd), m_tree(tree), m_bounds(bounds), m_sample(sample) {}

Result<Walk_summary> Subtree_walk::run(const Walk_options &options) {
  auto walked = read_root();
  for (std::uint32_t level = m_summary.height; walked && --level >= 1;) {
    walked = collect(level);
    if (m_sample.offered() >= options.separators_wanted) break;
  }
  const std::uint64_t subtrees = m_sample.offered() + 1;
  if (walked && options.leaf && m_summary.level <= 1 && subtrees < options.ranges_wanted &&
      subtrees <= max_leaf_pages) {
    walked = collect(0);
  }
  counters.pages_read += static_cast<long long>(m_summary.pages_read);
  if (!walked) return std::unexpected(walked.error());
  return m_summary;
}

Result<void> Subtree_walk::read_root() {
  Latched_walk walk(m_tree, nullptr, m_sample, m_summary);
  if (!walk.read_root()) return corrupted(m_tree);
  return {};
}

Result<void> Subtree_walk::collect(std::uint32_t level) {
  const std::size_t key_fields = dict_index_get_n_unique_in_tree(m_tree.index);
  Saved_key first(m_tree.index, key_fields);
  Saved_key second(m_tree.index, key_fields);
  Saved_key *next = &first;
  Saved_key *spare = &second;
  m_sample.clear();
  m_summary.level = level;
  m_summary.pages_on_level = m_summary.records_on_level = m_summary.bytes_on_level = 0;
  Walk_start start = start_of(m_bounds, key_fields);
  for (;;) {
    if (auto running = check_interrupted(m_thd); !running) return running;
    Latched_walk walk(m_tree, m_bounds.upper, m_sample, m_summary);
    const Stretch_end end = walk.collect(level, start, *next);
    if (end == Stretch_end::corrupted) return corrupted(m_tree);
    if (end == Stretch_end::finished) return {};
    start = {next->tuple(), PAGE_CUR_LE, PAGE_CUR_GE, false};
    std::swap(next, spare);  // the next stretch still reads the key it starts at
  }
}

}  // namespace pq
