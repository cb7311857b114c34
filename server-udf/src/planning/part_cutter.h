// Cuts parts of a clustered index, by its leaves or by the rows of one, and weighs them.

#ifndef MYSQL_PQ_PLANNING_PART_CUTTER_H
#define MYSQL_PQ_PLANNING_PART_CUTTER_H

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "planning/leaf_weights.h"
#include "pure/error.h"
#include "pure/key_sample.h"
#include "tree/subtree_walk.h"

namespace pq {

// A piece of an index with estimates of what is in it. It begins where the part before ends.
struct Weighed_part {
  std::optional<Stored_key> end;  // the first key beyond; none of the last part
  double pages = 0;               // leaves
  double rows = 0;
  double bytes = 0;  // of these rows in the index
  double off_page = 0;
  double values = 0;  // off-page, of those rows that were looked at
  bool is_divided = false;

  [[nodiscard]] double weight() const { return bytes + off_page; }

  // One leaf may count as a little more than 1, because of rounding.
  [[nodiscard]] bool is_one_leaf() const { return pages < 1.5; }

  void add(const Leaf_row &row, double times);
  void take(const Weighed_part &other);
};

class Part_cutter final {
 public:
  using Parts = std::vector<Weighed_part>;

  // The conditions, latches, cost and errors are those of Part_weigher.
  Part_cutter(THD *thd, const Tree &tree, const Walk_bounds &bounds,
              const std::vector<Record_layout::Column> &columns);

  // Cuts what is between the bounds into parts, in index order, about `most_parts` of them at most.
  // It cuts at node pointers to leaves, so it knows how many leaves each part has. The last part
  // has no end.
  [[nodiscard]] Result<Parts> cut_by_leaves(const Walk_bounds &inside, std::size_t most_parts);

  // Cuts a part of one leaf into pieces. A piece weighs about the wanted weight at most, unless one
  // row weighs more.
  [[nodiscard]] Result<Parts> cut_by_rows(const Weighed_part &part, const Walk_bounds &inside,
                                          double wanted);

  // Null if the part has no end.
  [[nodiscard]] std::unique_ptr<Saved_key> end_of(const Weighed_part &part) const;

  // Joins each part that does not end behind the part before, as on a damaged page, with the next
  // one.
  [[nodiscard]] Parts ascending(const Parts &parts) const;

  [[nodiscard]] std::uint64_t leaves_read() const { return m_leaves.pages_read(); }

  // Memory of the keys of all parts so far.
  [[nodiscard]] std::size_t part_bytes() const { return m_part_bytes; }

 private:
  [[nodiscard]] Parts parts_of(const Key_sample &sample, std::size_t most_parts);
  [[nodiscard]] Result<void> weigh(Parts &parts, const Walk_bounds &inside);
  [[nodiscard]] Result<void> weigh_leaf(Weighed_part &part, const Walk_bounds &inside);
  [[nodiscard]] Result<void> weigh_leaves(Weighed_part &part, const Walk_bounds &inside);
  void end(Weighed_part &part, Stored_key key);

  THD *m_thd;
  Tree m_tree;
  Walk_bounds m_bounds;
  std::size_t m_key_fields;
  Leaf_weights m_leaves;
  std::size_t m_part_bytes = 0;
};

}  // namespace pq

#endif
