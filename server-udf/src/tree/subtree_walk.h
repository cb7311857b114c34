// Walks the upper levels of a B+tree and samples the keys that separate its subtrees.

#ifndef MYSQL_PQ_TREE_SUBTREE_WALK_H
#define MYSQL_PQ_TREE_SUBTREE_WALK_H

#include <cstdint>

#include "pure/error.h"
#include "pure/key_sample.h"
#include "tree/saved_key.h"
#include "tree/tree.h"

namespace pq {

// The part of the key space to look at, [lower, upper); null where it has no end. A bound may hold
// the leading parts of the key only. Typed by the index, so that InnoDB's own comparison applies.
struct Walk_bounds {
  const Saved_key *lower = nullptr;
  const Saved_key *upper = nullptr;
};

struct Walk_options {
  std::uint64_t separators_wanted;  // stop at the highest level that has as many
  std::uint64_t ranges_wanted;      // below which leaf pages may be read, if `leaf`
  bool leaf;
};

struct Walk_summary {
  std::uint32_t height = 0;  // levels of the tree, leaves included
  std::uint64_t root_records = 0;
  std::uint32_t level = 0;  // where the sampled keys stand; 0 for rows of leaf pages
  std::uint64_t pages_read = 0;
  std::uint64_t pages_on_level = 0;
  std::uint64_t records_on_level = 0;  // of those pages, also outside the bounds
  std::uint64_t bytes_on_level = 0;    // of these records
};

// How many leaf pages the option `leaf` may read.
constexpr std::uint64_t max_leaf_pages = 64;

class Subtree_walk final {
 public:
  // The tree must be usable (see tree.h) and locked against DDL for the life of the walk. The
  // sample must take as many fields as the physical key has.
  Subtree_walk(THD *thd, const Tree &tree, const Walk_bounds &bounds, Key_sample &sample);

  // Leaves the keys of the chosen level inside the bounds, in index order, in the sample. Subtrees
  // begin at these keys, so they may be stale: of rows deleted, uncommitted or rolled back.
  //
  // Latches: none held on entry and exit. Inside, for a bounded number of pages at a time, the
  // index S-latch and S-latches on the path from the root; a parent is held while its child is
  // read, and no page is reached from its sibling (deadlock order,
  // docs/decisions/boundary-protocol.md). Between these holds all latches are released, kill,
  // time-out and switch-off are polled, and the walk descends again by key.
  //
  // Cost: about the pages of the levels down to the chosen one, which is at most separators_wanted
  // plus the tree's height; never a leaf but the root or by `leaf`. Errors: reported (killed),
  // disabled, unusable_table (a page that is not of this tree).
  [[nodiscard]] Result<Walk_summary> run(const Walk_options &options);

 private:
  [[nodiscard]] Result<void> read_root();
  [[nodiscard]] Result<void> collect(std::uint32_t level);

  THD *m_thd;
  Tree m_tree;
  Walk_bounds m_bounds;
  Key_sample &m_sample;
  Walk_summary m_summary;
};

}  // namespace pq

#endif
