// Weighs the rows of a leaf page by their bytes, those off-page included
// (docs/decisions/off-page-balance.md).

#ifndef MYSQL_PQ_PLANNING_LEAF_WEIGHTS_H
#define MYSQL_PQ_PLANNING_LEAF_WEIGHTS_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "leaf/leaf_page.h"
#include "leaf/record_layout.h"
#include "pure/error.h"
#include "tree/saved_key.h"
#include "tree/subtree_walk.h"
#include "tree/tree.h"

class THD;

namespace pq {

// A row on a copy of its page. It is not marked as deleted.
struct Leaf_row {
  const rec_t *rec;
  double bytes;          // its share of the page
  double off_page;       // bytes that the columns keep off-page
  std::uint32_t values;  // of these columns that do
};

class Leaf_weights final {
 public:
  // The tree must be usable (see tree.h), clustered and locked against DDL. The values that the
  // columns keep off-page count.
  Leaf_weights(THD *thd, const Tree &tree, const std::vector<Record_layout::Column> &columns);

  // Returns the rows of the page that the key is on, or would be on; of the tree's first page if
  // the key is null. It does not matter whether any snapshot sees them. Good until the next call.
  //
  // Latches: none held on entry and exit; inside, while the page is found and copied, the index
  // S-latch, and those of the page and perhaps its right neighbour. Kill, time-out and switch-off
  // are polled first. Cost: the pages from the root to the leaf; no page of values.
  //
  // Errors: reported (killed), disabled, unusable_table (a page that is not of this tree, or
  // damaged).
  [[nodiscard]] Result<std::span<const Leaf_row>> read(const Saved_key *key);

  // Returns the rows of the page with the last row before the key; of the tree's last page if the
  // key is null.
  [[nodiscard]] Result<std::span<const Leaf_row>> read_last(const Saved_key *upper);

  // Returns the row's key if it is between the bounds. Each bound may be missing.
  [[nodiscard]] Result<std::optional<Stored_key>> key_inside(const Leaf_row &row,
                                                             const Walk_bounds &inside);

  [[nodiscard]] std::uint64_t pages_read() const { return m_pages_read; }

 private:
  template <class Copy>
  [[nodiscard]] Result<std::span<const Leaf_row>> read_copy(const Copy &copy);
  [[nodiscard]] bool copy_leaf(const Saved_key *key) noexcept;
  [[nodiscard]] bool copy_last_leaf(const Saved_key *upper) noexcept;
  [[nodiscard]] bool copy_page(const page_t *page) noexcept;
  [[nodiscard]] bool find_rows();
  [[nodiscard]] const byte *page() const { return m_copies.page(0); }

  THD *m_thd;
  Tree m_tree;
  Leaf_format m_format;
  Record_layout m_layout;
  Cell_block m_cells;
  Page_copies m_copies;
  std::vector<Leaf_row> m_rows;
  Saved_key m_place;
  std::uint64_t m_pages_read = 0;
};

}  // namespace pq

#endif
