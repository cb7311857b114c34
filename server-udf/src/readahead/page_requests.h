// Asks for pages that are absent from the buffer pool, without waiting for them
// (docs/decisions/readahead.md).

#ifndef MYSQL_PQ_READAHEAD_PAGE_REQUESTS_H
#define MYSQL_PQ_READAHEAD_PAGE_REQUESTS_H

#include <cstdint>
#include <vector>

#include "tree/tree.h"

namespace pq {

// Whether pages may be asked for now: the settings allow it, and the history list is not yet so
// long that purge could stall writers behind readers of the tree.
[[nodiscard]] bool may_read_ahead();

// The pages of one tree that were found absent, and are asked for in the order of their numbers.
//
// All calls: no latch may be held, nor is one taken that is held on return; the table is locked
// against DDL.
class Page_requests final {
 public:
  Page_requests();
  Page_requests(const Page_requests &) = delete;
  Page_requests &operator=(const Page_requests &) = delete;

  // Memory to list pages in; find_absent() takes what it then holds.
  [[nodiscard]] std::vector<page_no_t> &listed();

  // Forgets listed pages that are resident or not in the table's file, and sorts the others.
  // Returns how many others there are.
  std::uint32_t find_absent(const Tree &tree);

  // Asks for as many of them as mysql_pq_readahead_in_flight allows now, over all sessions. Ends
  // early if the session is killed. May wait for a free place in the buffer pool, as any read of a
  // page does.
  void ask(const THD *thd, const Tree &tree);

  // Whether pages are left that were not asked for.
  [[nodiscard]] bool is_waiting() const { return m_next < m_pages.size(); }

  // Asked for since this was made.
  [[nodiscard]] std::uint64_t asked() const { return m_asked; }
  [[nodiscard]] std::uint64_t resident() const { return m_resident; }

  [[nodiscard]] static std::size_t bytes();

 private:
  std::vector<page_no_t> m_pages;
  std::size_t m_next = 0;
  std::uint64_t m_asked = 0;
  std::uint64_t m_resident = 0;
};

}  // namespace pq

#endif
