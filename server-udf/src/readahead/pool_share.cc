#include "readahead/pool_share.h"

#include <algorithm>

#include "server/innodb_compat.h"
#include "server/settings.h"

namespace pq {

std::uint32_t Pool_share::resize(std::uint32_t pages) {
  const auto most = static_cast<long long>(buf_pool_get_n_pages() *
                                           settings::readahead_pool_share_percent() / 100);
  const long long change = static_cast<long long>(pages) - m_pages;
  const long long all = counters.readahead_reserved += change;
  const long long excess = std::clamp<long long>(all - most, 0, pages);
  counters.readahead_reserved -= excess;
  m_pages = pages - static_cast<std::uint32_t>(excess);
  return m_pages;
}

}  // namespace pq
