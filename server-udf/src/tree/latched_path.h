// The way from a tree's root down to one of its pages, under latches.

#ifndef MYSQL_PQ_TREE_LATCHED_PATH_H
#define MYSQL_PQ_TREE_LATCHED_PATH_H

#include <array>
#include <cstdint>
#include <span>

#include "server/innodb_guards.h"
#include "tree/saved_key.h"
#include "tree/tree.h"

namespace pq {

// A secondary index has its own parts and those of the primary key.
constexpr std::size_t max_physical_key_parts = 2 * MAX_REF_PARTS;

// Holds the index S-latch and the S-latches of its pages from construction to destruction. A page
// is latched while the pages below it are read, and no page is reached from its sibling (deadlock
// order, docs/decisions/boundary-protocol.md). Nothing in it allocates through C++ or throws; the
// server's own calls take memory from the mini-transaction.
class Latched_path final {
 public:
  // One page of the path, and the record on it where a walk goes on.
  struct Step {
    buf_block_t *block;
    ulint savepoint;
    const rec_t *next;
    std::uint32_t level;
  };

  explicit Latched_path(const Tree &tree);
  Latched_path(const Latched_path &) = delete;
  Latched_path &operator=(const Latched_path &) = delete;

  // Latches the root, or the page that the node pointer leads to, and places the path before its
  // first record. False if it is no page of this tree, one level below the last.
  [[nodiscard]] bool enter_root() noexcept { return enter(m_tree.index->page); }
  [[nodiscard]] bool enter_child(const rec_t *node_pointer) noexcept;

  // Lets the last page go.
  void leave() noexcept;

  // Places the path at a key in its last page.
  void seek(const dtuple_t *key, page_cur_mode_t mode) noexcept;

  [[nodiscard]] bool is_empty() const noexcept { return m_depth == 0; }
  [[nodiscard]] Step &top() noexcept { return m_steps[m_depth - 1]; }

  // Pages latched so far.
  [[nodiscard]] std::uint32_t pages() const noexcept { return m_pages; }

  // The records must be on the last page.
  [[nodiscard]] page_no_t child_of(const rec_t *node_pointer) noexcept;
  [[nodiscard]] bool is_before(const rec_t *rec, const Saved_key &bound) noexcept;
  [[nodiscard]] std::span<const Field_value> key_of(const rec_t *rec) noexcept;

 private:
  // More levels than any tree can have: each non-leaf page has at least two records.
  static constexpr std::size_t max_height = 64;

  [[nodiscard]] bool enter(page_no_t page_no) noexcept;
  [[nodiscard]] bool is_page_of_tree(const page_t *page) const noexcept;
  [[nodiscard]] bool is_at_leaf() const noexcept { return m_steps[m_depth - 1].level == 0; }
  void read_offsets(const rec_t *rec) noexcept;

  Tree m_tree;
  std::size_t m_key_fields;
  std::uint32_t m_pages = 0;
  std::size_t m_depth = 0;
  std::array<Step, max_height> m_steps;
  std::array<Field_value, max_physical_key_parts> m_values;
  ulint m_offsets[REC_OFFS_NORMAL_SIZE];
  Read_mtr m_mtr;
};

}  // namespace pq

#endif
