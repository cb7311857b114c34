// Decides when a scan looks ahead for absent leaves, and how far.

#ifndef MYSQL_PQ_PURE_READAHEAD_PACE_H
#define MYSQL_PQ_PURE_READAHEAD_PACE_H

#include <cstdint>

namespace pq {

// Looks at twice the leaves each time, up to a window, for as long as leaves are absent; then rests
// until the scan itself meets absent ones. A scan of resident leaves therefore looks once.
class Readahead_pace final {
 public:
  static constexpr std::uint32_t first_leaves = 32;

  // Takes note that the scan has read `leaves` leaves. It had looked at a few of them before it
  // read them, and `absent` of those were absent.
  void count_read(std::uint32_t leaves, std::uint32_t absent);

  // How many leaves to look at now, at most `window`; 0 if the scan is not to look yet.
  [[nodiscard]] std::uint32_t leaves_wanted(std::uint32_t window) const;

  // Takes note that the scan has looked at the next `leaves` leaves, and that `absent` of them were
  // absent. They are fewer than wanted if the range has no more.
  void count_looked(std::uint32_t leaves, std::uint32_t absent, bool range_ended);

  [[nodiscard]] bool is_resting() const { return m_resting; }

 private:
  void rest();

  bool m_resting = false;
  bool m_range_ended = false;
  std::uint32_t m_next_look = first_leaves;  // so many leaves
  std::uint32_t m_ahead = 0;                 // looked at, and not yet read
  std::uint32_t m_looked = 0;                // the last time
  std::uint32_t m_recent = 0;                // leaves read while resting, of late
  std::uint32_t m_recent_absent = 0;
};

}  // namespace pq

#endif
