// One stretch of a subtree walk under latches.

#ifndef MYSQL_PQ_TREE_LATCHED_WALK_H
#define MYSQL_PQ_TREE_LATCHED_WALK_H

#include <cstdint>

#include "tree/latched_path.h"
#include "tree/subtree_walk.h"

namespace pq {

// Where a stretch begins: at the tree's first key, or at a key found by these search modes.
struct Walk_start {
  const dtuple_t *key = nullptr;
  page_cur_mode_t above_mode = PAGE_CUR_LE;   // on levels above the one collected
  page_cur_mode_t target_mode = PAGE_CUR_GE;  // on that level
  bool is_first = true;                       // of its walk: the first row then separates nothing
};

enum class Stretch_end : std::uint8_t { finished, to_be_continued, corrupted };

// Holds the latches of its path from construction to destruction. Nothing in it allocates through
// C++ or throws.
class Latched_walk final {
 public:
  Latched_walk(const Tree &tree, const Saved_key *upper, Key_sample &sample, Walk_summary &summary);
  Latched_walk(const Latched_walk &) = delete;
  Latched_walk &operator=(const Latched_walk &) = delete;

  // Sets height and root_records in the summary. False if the root is not of this tree.
  [[nodiscard]] bool read_root() noexcept;

  // Offers the sample all keys of the level from `start` on, until the upper bound, the end of the
  // level or the limit of pages. At the limit, `resume` gets the key to start the next stretch at.
  [[nodiscard]] Stretch_end collect(std::uint32_t level, const Walk_start &start,
                                    Saved_key &resume) noexcept;

 private:
  static constexpr std::uint32_t max_pages_per_hold = 32;

  [[nodiscard]] bool entered(bool good) noexcept;
  void arrive(std::uint32_t target) noexcept;
  void seek(std::uint32_t target) noexcept;
  [[nodiscard]] bool is_past_upper(const rec_t *rec) noexcept;
  void offer(const rec_t *rec, bool leaf) noexcept;
  void count_page(const page_t *page) noexcept;

  Tree m_tree;
  const Saved_key *m_upper;
  Key_sample &m_sample;
  Walk_summary &m_summary;
  Walk_start m_start;
  bool m_seeking = false;
  Latched_path m_path;
};

}  // namespace pq

#endif
