// Cuts a clustered index into parts whose bytes it knows, those off-page included
// (docs/decisions/off-page-balance.md).

#ifndef MYSQL_PQ_PLANNING_WEIGHED_PARTS_H
#define MYSQL_PQ_PLANNING_WEIGHED_PARTS_H

#include <cstdint>
#include <vector>

#include "planning/part_cutter.h"
#include "pure/error.h"

namespace pq {

// Weighs parts by their leaves. Node pointers tell nothing of what rows keep off-page: the same
// page may hold three hundred rows of 40 bytes, or the references to as many values of megabytes.
// Therefore one leaf of each part is looked at. A part that weighs more than a share of a range is
// cut again: by the leaves below it, and in the end by the rows of a leaf.
class Part_weigher final {
 public:
  // The tree must be usable (see tree.h), clustered and locked against DDL; the bounds outlive the
  // weigher. The values that the columns keep off-page count.
  Part_weigher(THD *thd, const Tree &tree, const Walk_bounds &bounds,
               const std::vector<Record_layout::Column> &columns)
      : m_bounds(bounds), m_cutter(thd, tree, bounds, columns) {}

  // Returns parts in index order, whose ends strictly ascend. They are fine enough for `ranges`
  // ranges. Where that would take more leaves or memory than allowed, only the heaviest parts are
  // as fine.
  //
  // Latches: none held on entry and exit; inside, those of Leaf_weights and Subtree_walk. Cost: the
  // pages above the leaves, and no more than about `most_leaves` of these. Errors: those of
  // Leaf_weights and Subtree_walk.
  [[nodiscard]] Result<std::vector<Weighed_part>> run(std::uint32_t ranges);

  [[nodiscard]] std::uint64_t leaves_read() const { return m_cutter.leaves_read(); }

  static constexpr std::uint64_t most_leaves = 2048;

 private:
  using Parts = Part_cutter::Parts;

  [[nodiscard]] Result<bool> divide_heavy(Parts &parts, std::uint32_t ranges, double share);
  [[nodiscard]] Result<Parts> divide(const Weighed_part &part, const Walk_bounds &inside,
                                     double wanted);
  [[nodiscard]] bool may_go_on() const;

  Walk_bounds m_bounds;
  Part_cutter m_cutter;
};

}  // namespace pq

#endif
