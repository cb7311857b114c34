// Lists the leaves of a range by the node pointers above them, without touching one
// (docs/decisions/readahead.md).

#ifndef MYSQL_PQ_TREE_LEAF_LIST_H
#define MYSQL_PQ_TREE_LEAF_LIST_H

#include <cstdint>
#include <span>
#include <vector>

#include "pure/error.h"
#include "tree/saved_key.h"
#include "tree/tree.h"

namespace pq {

class Leaf_list final {
 public:
  // Leaves that one list holds at most.
  static constexpr std::uint32_t most_leaves = 4096;

  // The tree must be usable (see tree.h) and locked against DDL for the life of the list.
  Leaf_list(THD *thd, const Tree &tree, const Saved_key *upper);

  // Lists from the leaf in which the key is, or would be; from the first of the tree if it is null.
  void begin_at(const Saved_key *key);

  // Appends the numbers of the next leaves to `numbers`, in the order of the key, up to its
  // capacity: as many as are wanted, or those up to the upper bound.
  //
  // Latches: those of a Latched_path inside, for a bounded number of pages at a time; none on entry
  // and exit. Kill, time-out and switch-off are polled in between. Cost: about one page in some
  // hundred leaves.
  //
  // Errors: reported (killed), disabled, unusable_table (a page that is not of this tree).
  [[nodiscard]] Result<void> list(std::uint32_t wanted, std::vector<page_no_t> &numbers);

  [[nodiscard]] bool ended() const { return m_ended; }

 private:
  enum class Outcome : std::uint8_t { good, paused, corrupted };

  [[nodiscard]] Outcome list_some(std::size_t wanted, std::vector<page_no_t> &numbers) noexcept;

  THD *m_thd;
  Tree m_tree;
  const Saved_key *m_upper;
  const dtuple_t *m_start = nullptr;
  page_cur_mode_t m_mode = PAGE_CUR_L;
  bool m_ended = false;
  Saved_key m_first;
  Saved_key m_second;
  Saved_key *m_next = &m_first;
};

}  // namespace pq

#endif
