// Reads leaves into the buffer pool just ahead of a scan (docs/decisions/readahead.md).
//
// The room `readahead` takes a key and the end of a range, and asks InnoDB to read the leaves that
// follow. It gives nothing back but counts. It must not know rows: it sees node pointers and page
// numbers only.

#ifndef MYSQL_PQ_READAHEAD_LEAF_READAHEAD_H
#define MYSQL_PQ_READAHEAD_LEAF_READAHEAD_H

#include <chrono>
#include <cstdint>

#include "pure/error.h"
#include "pure/readahead_pace.h"
#include "readahead/page_requests.h"
#include "readahead/pool_share.h"
#include "tree/leaf_list.h"

namespace pq {

// Reads ahead for one scan, which calls it between its holds of latches. It keeps page numbers
// only, so that the scan may let the table go between two calls.
class Leaf_readahead final {
 public:
  Leaf_readahead() = default;
  Leaf_readahead(const Leaf_readahead &) = delete;
  Leaf_readahead &operator=(const Leaf_readahead &) = delete;

  // Takes note that the scan has read `leaves` leaves. It had looked at a few of them before it
  // read them, and `absent` of those were absent.
  void count_read(std::uint32_t leaves, std::uint32_t absent) { m_pace.count_read(leaves, absent); }

  // Looks ahead of the key at which the scan goes on, if it is time to, and asks for leaves that
  // are absent. A null key stands for the tree's beginning. The conditions are those of a Leaf_list
  // and of Page_requests.
  [[nodiscard]] Result<void> run(THD *thd, const Tree &tree, const Saved_key *from,
                                 const Saved_key *upper);

  [[nodiscard]] static std::size_t bytes();

 private:
  [[nodiscard]] Result<void> look(THD *thd, const Tree &tree, const Saved_key *from,
                                  const Saved_key *upper);

  Readahead_pace m_pace;
  Page_requests m_requests;
  Pool_share m_share;
  std::chrono::steady_clock::time_point m_last_look;
};

}  // namespace pq

#endif
