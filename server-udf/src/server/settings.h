// System and status variables of the plugin.

#ifndef MYSQL_PQ_SERVER_SETTINGS_H
#define MYSQL_PQ_SERVER_SETTINGS_H

#include <atomic>
#include <chrono>
#include <cstdint>

#include "pure/snapshot_limits.h"

struct SYS_VAR;
struct SHOW_VAR;

namespace pq {

// The server writes these under its own lock; readers take what they see.
namespace settings {
[[nodiscard]] bool enabled();
void disable();  // as mysql_pq_enabled = OFF, while the server does not know that variable
[[nodiscard]] std::uint32_t max_ranges();
[[nodiscard]] unsigned long lock_wait_timeout_s();
[[nodiscard]] std::uint32_t max_snapshots();
[[nodiscard]] std::uint32_t max_scans();  // sessions that read in snapshots
[[nodiscard]] unsigned long long scan_memory();
[[nodiscard]] unsigned long long memory_limit();
[[nodiscard]] bool validators();
[[nodiscard]] std::uint32_t readahead_window();  // leaves; 0: off
[[nodiscard]] std::chrono::milliseconds readahead_pause();
[[nodiscard]] std::uint32_t readahead_pool_share_percent();
[[nodiscard]] std::uint32_t readahead_in_flight();
[[nodiscard]] Snapshot_limits snapshot_limits();
[[nodiscard]] std::chrono::seconds snapshot_grace();
[[nodiscard]] std::chrono::milliseconds ddl_wait_limit();
[[nodiscard]] unsigned long long max_row_versions();
}  // namespace settings

// Read by SHOW STATUS without a lock, as plain 64-bit numbers.
struct Counters {
  std::atomic<long long> calls{0};       // begun, of any function or the table
  std::atomic<long long> refused{0};     // ended by an error
  std::atomic<long long> pages_read{0};  // of indexes, by walks
  std::atomic<long long> running{0};
  std::atomic<long long> snapshots_expired{0};   // ended by a limit
  std::atomic<long long> snapshots_gave_way{0};  // of these, to sessions that waited for a table
  std::atomic<long long> lock_waits{0};          // for a table that a snapshot holds
  std::atomic<long long> scans_running{0};       // readers, as of half a second ago at most
  std::atomic<long long> scans_refused{0};       // sessions, by mysql_pq_max_scans
  std::atomic<long long> history_too_long{0};    // scans ended by mysql_pq_max_row_versions
  std::atomic<long long> scan_memory{0};         // bytes that native scans have reserved
  std::atomic<long long> scan_pages{0};          // leaf pages read by native scans
  std::atomic<long long> scan_rows{0};           // sent by them, after filters
  std::atomic<long long> scan_bytes{0};          // of the batches sent
  std::atomic<long long> scans_unchanged{0};     // not read, by a validator that held
  std::atomic<long long> scans_changed{0};       // read, because the validator did not hold
  std::atomic<long long> readahead_pages{0};     // asked for, of whatever session
  std::atomic<long long> readahead_resident{0};  // looked at, and found resident
  std::atomic<long long> readahead_looks{0};     // at the leaves ahead
  std::atomic<long long> readahead_reserved{
      0};  // pages of the buffer pool that may be read ahead now
};
extern Counters counters;

// For the plugin's declaration.
extern SYS_VAR *system_variables[];
extern SHOW_VAR status_variables[];

}  // namespace pq

#endif
