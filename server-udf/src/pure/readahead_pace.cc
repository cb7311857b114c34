#include "pure/readahead_pace.h"

#include <algorithm>

namespace pq {

namespace {

// If fewer than one leaf in this many is absent, looking ahead costs more than it saves.
constexpr std::uint32_t least_absent_share = 32;

// The pace wakes from its rest when `absent_to_wake` leaves were absent in the last
// `recent_leaves`, about. The scan looks at one leaf in eight of them.
constexpr std::uint32_t recent_leaves = 256;
constexpr std::uint32_t absent_to_wake = 2;

}  // namespace

void Readahead_pace::rest() {
  m_resting = true;
  m_recent = m_recent_absent = m_ahead = 0;
  m_next_look = first_leaves;
}

void Readahead_pace::count_read(std::uint32_t leaves, std::uint32_t absent) {
  m_ahead -= std::min(m_ahead, leaves);
  if (!m_resting) return;
  m_recent += leaves;
  m_recent_absent += absent;
  if (m_recent_absent >= absent_to_wake) m_resting = false;
  if (m_recent < recent_leaves) return;
  m_recent /= 2;
  m_recent_absent /= 2;
}

std::uint32_t Readahead_pace::leaves_wanted(std::uint32_t window) const {
  // Half of what was looked at the last time is asked for by then, and most of it read.
  if (m_resting || m_range_ended || m_ahead > m_looked / 2) return 0;
  return std::min(m_next_look, window);
}

void Readahead_pace::count_looked(std::uint32_t leaves, std::uint32_t absent, bool range_ended) {
  m_ahead = m_looked = leaves;
  m_range_ended = range_ended;
  if (absent * least_absent_share < leaves) return rest();
  constexpr std::uint32_t most = UINT32_MAX / 2;
  m_next_look = 2 * std::min(m_next_look, most);
}

}  // namespace pq
