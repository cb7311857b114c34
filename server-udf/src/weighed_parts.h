// Cuts a clustered index into parts of which it knows the bytes, also those off-page.

#ifndef MYSQL_PQ_WEIGHED_PARTS_H
#define MYSQL_PQ_WEIGHED_PARTS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "leaf_weights.h"
#include "pure/error.h"
#include "pure/key_sample.h"
#include "subtree_walk.h"

namespace pq {

// From where the part before ends to its own end, with estimates of what is in it.
struct Weighed_part {
  std::optional<Stored_key> end;  // the first key beyond; none of the last part
  double pages = 0;               // leaves
  double rows = 0;
  double bytes = 0;  // of these rows in the index
  double off_page = 0;
  double values = 0;  // off-page, of those rows that were looked at
  bool is_divided = false;

  [[nodiscard]] double weight() const { return bytes + off_page; }
};

// Node pointers tell nothing of what rows keep off-page: the same page may hold three hundred rows of 40 bytes, or the
// references to as many values of megabytes. So one leaf of each part is looked at, and a part that turns out to weigh
// more than a share of a range is cut again: by the leaves below it, and in the end by the rows of a leaf.
class Part_weigher final {
 public:
  // The tree must be usable (see tree.h), clustered and locked against DDL; the bounds outlive the weigher. Of the
  // columns the values off-page count.
  Part_weigher(THD *thd, const Tree &tree, const Walk_bounds &bounds,
               const std::vector<Record_layout::Column> &columns);

  // In index order, fine enough for so many ranges unless that takes more than the leaves and the memory that there are
  // for it.
  //
  // Latches: none held on entry and exit; inside, those of Leaf_weights and Subtree_walk. Cost: the pages above the
  // leaves, and no more than about `most_leaves` of these. Errors: those of Leaf_weights and Subtree_walk.
  [[nodiscard]] Result<std::vector<Weighed_part>> run(std::uint32_t ranges);

  [[nodiscard]] std::uint64_t leaves_read() const { return m_leaves.pages_read(); }

  static constexpr std::uint64_t most_leaves = 2048;

 private:
  using Parts = std::vector<Weighed_part>;

  [[nodiscard]] Result<Parts> find_parts(const Saved_key *start, const Saved_key *upper,
                                         std::size_t most_parts);
  [[nodiscard]] Result<bool> divide_heavy(Parts &parts, std::uint32_t ranges);
  [[nodiscard]] Result<Parts> divide(const Weighed_part &part, const Saved_key *start,
                                     double wanted);
  [[nodiscard]] Result<Parts> divide_by_rows(const Weighed_part &part, const Saved_key *start,
                                             double wanted);
  [[nodiscard]] Parts parts_of(const Key_sample &sample, std::size_t most_parts);
  [[nodiscard]] Result<void> weigh(Parts &parts, const Saved_key *start, const Saved_key *upper);
  // Whether the row is in [start, upper), whose ends may be none; gives its key.
  [[nodiscard]] Result<bool> is_inside(const Leaf_row &row, const Saved_key *start,
                                       const Saved_key *upper, Stored_key &key);
  [[nodiscard]] bool may_go_on() const;
  void end(Weighed_part &part, Stored_key key);
  [[nodiscard]] std::unique_ptr<Saved_key> end_of(const Weighed_part &part) const;

  THD *m_thd;
  Tree m_tree;
  Walk_bounds m_bounds;
  std::size_t m_key_fields;
  Leaf_weights m_leaves;
  Saved_key m_place;
  std::size_t m_part_bytes = 0;  // memory of all parts so far
};

}  // namespace pq

#endif
