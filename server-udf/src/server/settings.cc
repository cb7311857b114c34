#include "server/settings.h"

#include <mysql/plugin.h>
#include <mysql/status_var.h>

namespace pq {

namespace {

bool enabled_value = true;
unsigned int max_ranges_value = 4096;
unsigned long lock_wait_timeout_value_s = 5;
unsigned int max_snapshots_value = 256;
unsigned int max_scans_value = 256;
unsigned int snapshot_max_age_value_s = 3600;
unsigned int snapshot_grace_value_s = 10;
unsigned int ddl_wait_limit_value_ms = 1000;
unsigned long long max_history_length_value = 5'000'000;
unsigned long long max_row_versions_value = 100'000;
unsigned long long scan_memory_value = 64ULL << 20;
unsigned long long memory_limit_value = 1ULL << 30;
bool validators_value = true;
unsigned int readahead_window_value = 256;
unsigned int readahead_pause_value_ms = 0;
unsigned int readahead_pool_share_value_percent = 10;
unsigned int readahead_in_flight_value = 64;

MYSQL_SYSVAR_BOOL(enabled, enabled_value, PLUGIN_VAR_OPCMDARG,
                  "OFF refuses new calls of mysql_pq, ends running ones with an error, and ends "
                  "snapshots with the sessions that read in them.",
                  nullptr, nullptr, true);

MYSQL_SYSVAR_UINT(max_ranges, max_ranges_value, PLUGIN_VAR_RQCMDARG,
                  "Largest number of ranges that one call of mysql_pq_ranges gives.", nullptr,
                  nullptr, 4096, 1, 16384, 0);

MYSQL_SYSVAR_ULONG(
    lock_wait_timeout, lock_wait_timeout_value_s, PLUGIN_VAR_RQCMDARG,
    "Seconds to wait for a table's metadata lock; lock_wait_timeout if that is less.", nullptr,
    nullptr, 5, 1, 3600, 0);

MYSQL_SYSVAR_UINT(max_snapshots, max_snapshots_value, PLUGIN_VAR_RQCMDARG,
                  "Largest number of snapshots that sessions of this server export at once.",
                  nullptr, nullptr, 256, 0, 65536, 0);

MYSQL_SYSVAR_UINT(
    max_scans, max_scans_value, PLUGIN_VAR_RQCMDARG,
    "Largest number of sessions that read in snapshots at once, of all accounts. A session "
    "counts once, however many tables it scans.",
    nullptr, nullptr, 256, 0, 65536, 0);

MYSQL_SYSVAR_UINT(snapshot_max_age, snapshot_max_age_value_s, PLUGIN_VAR_RQCMDARG,
                  "Seconds after which a snapshot expires.", nullptr, nullptr, 3600, 1, 31536000,
                  0);

MYSQL_SYSVAR_UINT(snapshot_grace, snapshot_grace_value_s, PLUGIN_VAR_RQCMDARG,
                  "Seconds that sessions in an expired snapshot have to end their transactions "
                  "before their connections are closed.",
                  nullptr, nullptr, 10, 0, 3600, 0);

MYSQL_SYSVAR_UINT(ddl_wait_limit, ddl_wait_limit_value_ms, PLUGIN_VAR_RQCMDARG,
                  "Milliseconds that DDL, LOCK TABLES or FLUSH TABLES waits for tables that a "
                  "snapshot holds, before the snapshot and the sessions that read in it end.",
                  nullptr, nullptr, 1000, 500, 3600000, 0);

MYSQL_SYSVAR_ULONGLONG(max_history_length, max_history_length_value, PLUGIN_VAR_RQCMDARG,
                       "Undo logs that purge may have to keep for a snapshot before it expires; 0 "
                       "for no limit.",
                       nullptr, nullptr, 5'000'000, 0, ULLONG_MAX, 0);

MYSQL_SYSVAR_ULONGLONG(max_row_versions, max_row_versions_value, PLUGIN_VAR_RQCMDARG,
                       "Versions of one row that a scan goes back through at most; writers of the "
                       "rows beside it wait meanwhile.",
                       nullptr, nullptr, 100'000, 1, ULLONG_MAX, 0);

MYSQL_SYSVAR_ULONGLONG(scan_memory, scan_memory_value, PLUGIN_VAR_RQCMDARG,
                       "Bytes of memory that one call of mysql_pq_scan uses at most.", nullptr,
                       nullptr, 64ULL << 20, 1ULL << 20, ULLONG_MAX, 0);

MYSQL_SYSVAR_ULONGLONG(memory_limit, memory_limit_value, PLUGIN_VAR_RQCMDARG,
                       "Bytes of memory that all calls of mysql_pq_scan together use at most.",
                       nullptr, nullptr, 1ULL << 30, 0, ULLONG_MAX, 0);

MYSQL_SYSVAR_BOOL(
    validators, validators_value, PLUGIN_VAR_OPCMDARG,
    "OFF gives no validators, by which clients of mysql_pq_scan learn that a range has "
    "not changed since they read it, and takes none for good.",
    nullptr, nullptr, true);

MYSQL_SYSVAR_UINT(readahead_window, readahead_window_value, PLUGIN_VAR_RQCMDARG,
                  "Leaf pages that are looked at ahead of a scan at most; 0 for none.", nullptr,
                  nullptr, 256, 0, 4096, 0);

MYSQL_SYSVAR_UINT(readahead_pause, readahead_pause_value_ms, PLUGIN_VAR_RQCMDARG,
                  "Milliseconds between two windows of pages that are read ahead for one scan.",
                  nullptr, nullptr, 0, 0, 60000, 0);

MYSQL_SYSVAR_UINT(readahead_pool_share, readahead_pool_share_value_percent, PLUGIN_VAR_RQCMDARG,
                  "Percentage of the buffer pool that pages read ahead of all scans may take.",
                  nullptr, nullptr, 10, 0, 50, 0);

MYSQL_SYSVAR_UINT(readahead_in_flight, readahead_in_flight_value, PLUGIN_VAR_RQCMDARG,
                  "Reads of pages that may be pending in the server before no more are read ahead.",
                  nullptr, nullptr, 64, 0, 1024, 0);

template <class T>
T read_once(const T &value) {
  return *static_cast<const volatile T *>(&value);
}

char *show(std::atomic<long long> &counter) {
  static_assert(sizeof(counter) == sizeof(long long) &&
                std::atomic<long long>::is_always_lock_free);
  return reinterpret_cast<char *>(&counter);
}

}  // namespace

Counters counters;

namespace settings {
bool enabled() { return read_once(enabled_value); }
void disable() { *static_cast<volatile bool *>(&enabled_value) = false; }
std::uint32_t max_ranges() { return read_once(max_ranges_value); }
unsigned long lock_wait_timeout_s() { return read_once(lock_wait_timeout_value_s); }
std::uint32_t max_snapshots() { return read_once(max_snapshots_value); }
std::uint32_t max_scans() { return read_once(max_scans_value); }
unsigned long long scan_memory() { return read_once(scan_memory_value); }
unsigned long long memory_limit() { return read_once(memory_limit_value); }
bool validators() { return read_once(validators_value); }
std::uint32_t readahead_window() { return read_once(readahead_window_value); }
std::chrono::milliseconds readahead_pause() {
  return std::chrono::milliseconds(read_once(readahead_pause_value_ms));
}
std::uint32_t readahead_pool_share_percent() {
  return read_once(readahead_pool_share_value_percent);
}
std::uint32_t readahead_in_flight() { return read_once(readahead_in_flight_value); }
Snapshot_limits snapshot_limits() {
  return {std::chrono::seconds(read_once(snapshot_max_age_value_s)),
          read_once(max_history_length_value)};
}
unsigned long long max_row_versions() { return read_once(max_row_versions_value); }
std::chrono::seconds snapshot_grace() {
  return std::chrono::seconds(read_once(snapshot_grace_value_s));
}
std::chrono::milliseconds ddl_wait_limit() {
  return std::chrono::milliseconds(read_once(ddl_wait_limit_value_ms));
}
}  // namespace settings

SYS_VAR *system_variables[] = {MYSQL_SYSVAR(enabled),
                               MYSQL_SYSVAR(max_ranges),
                               MYSQL_SYSVAR(lock_wait_timeout),
                               MYSQL_SYSVAR(max_snapshots),
                               MYSQL_SYSVAR(snapshot_max_age),
                               MYSQL_SYSVAR(snapshot_grace),
                               MYSQL_SYSVAR(ddl_wait_limit),
                               MYSQL_SYSVAR(max_history_length),
                               MYSQL_SYSVAR(max_row_versions),
                               MYSQL_SYSVAR(max_scans),
                               MYSQL_SYSVAR(scan_memory),
                               MYSQL_SYSVAR(memory_limit),
                               MYSQL_SYSVAR(validators),
                               MYSQL_SYSVAR(readahead_window),
                               MYSQL_SYSVAR(readahead_pause),
                               MYSQL_SYSVAR(readahead_pool_share),
                               MYSQL_SYSVAR(readahead_in_flight),
                               nullptr};

SHOW_VAR status_variables[] = {
    {"mysql_pq_calls", show(counters.calls), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_refused", show(counters.refused), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_pages_read", show(counters.pages_read), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_snapshots_expired", show(counters.snapshots_expired), SHOW_LONGLONG,
     SHOW_SCOPE_GLOBAL},
    {"mysql_pq_snapshots_gave_way", show(counters.snapshots_gave_way), SHOW_LONGLONG,
     SHOW_SCOPE_GLOBAL},
    {"mysql_pq_lock_waits", show(counters.lock_waits), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_scans_running", show(counters.scans_running), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_scans_refused", show(counters.scans_refused), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_history_too_long", show(counters.history_too_long), SHOW_LONGLONG,
     SHOW_SCOPE_GLOBAL},
    {"mysql_pq_scan_memory_used", show(counters.scan_memory), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_scan_pages_read", show(counters.scan_pages), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_scan_rows_read", show(counters.scan_rows), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_scan_bytes_sent", show(counters.scan_bytes), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_scans_unchanged", show(counters.scans_unchanged), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_scans_changed", show(counters.scans_changed), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_readahead_pages_asked", show(counters.readahead_pages), SHOW_LONGLONG,
     SHOW_SCOPE_GLOBAL},
    {"mysql_pq_readahead_pages_resident", show(counters.readahead_resident), SHOW_LONGLONG,
     SHOW_SCOPE_GLOBAL},
    {"mysql_pq_readahead_looks", show(counters.readahead_looks), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_readahead_pages_reserved", show(counters.readahead_reserved), SHOW_LONGLONG,
     SHOW_SCOPE_GLOBAL},
    {"mysql_pq_running", show(counters.running), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {nullptr, nullptr, SHOW_UNDEF, SHOW_SCOPE_GLOBAL}};

}  // namespace pq
