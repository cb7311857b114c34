// Shares out the part of the buffer pool that pages read ahead may take.

#ifndef MYSQL_PQ_READAHEAD_POOL_SHARE_H
#define MYSQL_PQ_READAHEAD_POOL_SHARE_H

#include <cstdint>

namespace pq {

// Pages that one reader may have read ahead and not yet used, until it is destroyed.
class Pool_share final {
 public:
  Pool_share() = default;
  ~Pool_share() { release(); }
  Pool_share(const Pool_share &) = delete;
  Pool_share &operator=(const Pool_share &) = delete;

  // Makes the share `pages` pages, or fewer if all readers of the server would pass
  // mysql_pq_readahead_pool_share. Returns the pages that it has.
  std::uint32_t resize(std::uint32_t pages);
  void release() { (void)resize(0); }

 private:
  std::uint32_t m_pages = 0;
};

}  // namespace pq

#endif
