// Finds out whether a row of leaves stands as it stood when the redo log ended at some place
// (docs/decisions/conditional-scan.md).

#ifndef MYSQL_PQ_LEAF_UNCHANGED_LEAVES_H
#define MYSQL_PQ_LEAF_UNCHANGED_LEAVES_H

#include <cstdint>

#include "leaf/leaf_page.h"
#include "pure/error.h"
#include "server/innodb_guards.h"
#include "tree/saved_key.h"
#include "tree/tree.h"

class THD;

namespace pq {

class Unchanged_leaves final {
 public:
  // The tree must be usable (see tree.h), clustered and locked against DDL for the life of the
  // object.
  Unchanged_leaves(THD *thd, const Tree &tree, const Page_copies &copies);

  // Up to where, and since when.
  struct Wanted {
    page_no_t last;
    std::uint64_t lsn;    // redo_log::end() of that time
    std::uint64_t pages;  // how many there are, or more
  };

  // Whether each leaf from the one where a scan from the key on begins (the first one if it is
  // null) to the last one is resident and was not changed since. A leaf that is not resident may
  // have changed. All changes must have been logged.
  //
  // Latches: none held on entry and exit. Inside, the index S-latch while descending, then
  // S-latches on at most two neighbouring leaves at a time, of at most `pages_of_hold` in all. No
  // leaf is read from disk but the one that the descent leads to. Nothing is allocated through C++
  // under a latch, and nothing thrown. Kill, time-out and switch-off are polled for each hold.
  //
  // Errors: reported (killed), disabled.
  [[nodiscard]] Result<bool> check(const Saved_key *start, const Wanted &wanted);

 private:
  enum class Outcome : std::uint8_t { unchanged, changed, paused };

  static constexpr std::uint32_t pages_of_hold = 64;

  [[nodiscard]] Outcome look_at_some(const Saved_key *start, const Wanted &wanted) noexcept;
  [[nodiscard]] Result<bool> set_resumption();

  THD *m_thd;
  Tree m_tree;
  const Page_copies &m_copies;
  Leaf_format m_format;
  std::uint64_t m_pages = 0;
  Saved_key m_resume;
};

}  // namespace pq

#endif
