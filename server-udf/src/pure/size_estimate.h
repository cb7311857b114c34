// Estimates how much lies below one unit of a walk.

#ifndef MYSQL_PQ_PURE_SIZE_ESTIMATE_H
#define MYSQL_PQ_PURE_SIZE_ESTIMATE_H

#include <cstdint>

namespace pq {

// The server's own statistics of an index; zeros where it has none. The rows follow DML at once,
// the leaf pages only when statistics are recalculated.
struct Tree_statistics {
  std::uint64_t rows = 0;
  std::uint64_t leaf_pages = 0;
};

// What a walk found.
struct Walked_level {
  std::uint32_t root_level;
  std::uint64_t root_records;
  std::uint32_t level;  // where it stopped
  std::uint64_t units;  // subtrees, or rows on level 0, inside the bounds
  bool bounded;
  std::uint64_t pages;    // of the level
  std::uint64_t records;  // on these
  std::uint64_t bytes;    // of these records
  std::uint32_t page_bytes;
};

// Leaf pages that the tree has at most: were all pages between the walked level and the leaves
// full.
[[nodiscard]] double most_leaves(const Walked_level &walked);

// Whether values off-page surely take much of the tree's space. Statistics count their pages as
// leaf pages, and no node pointer leads to them.
[[nodiscard]] bool keeps_much_off_page(const Tree_statistics &statistics,
                                       const Walked_level &walked);

struct Unit_size {
  double pages;
  double rows;
};

// Estimates a unit. On level 1 it is a leaf page, on level 0 a row. On higher levels the fan-out of
// the pages seen leads from the root to the number of leaf pages, which the statistics refine.
[[nodiscard]] Unit_size estimate_unit(const Tree_statistics &statistics,
                                      const Walked_level &walked);

}  // namespace pq

#endif
