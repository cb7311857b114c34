#include "settings.h"

#include <mysql/plugin.h>
#include <mysql/status_var.h>

namespace pq {

namespace {

bool enabled_value = true;
unsigned int max_ranges_value = 4096;
unsigned long lock_wait_timeout_value_s = 5;
unsigned int max_snapshots_value = 256;

MYSQL_SYSVAR_BOOL(enabled, enabled_value, PLUGIN_VAR_OPCMDARG,
                  "OFF refuses new calls of mysql_pq and ends running ones with an error.", nullptr,
                  nullptr, true);

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
std::uint32_t max_ranges() { return read_once(max_ranges_value); }
unsigned long lock_wait_timeout_s() { return read_once(lock_wait_timeout_value_s); }
std::uint32_t max_snapshots() { return read_once(max_snapshots_value); }
}  // namespace settings

SYS_VAR *system_variables[] = {MYSQL_SYSVAR(enabled), MYSQL_SYSVAR(max_ranges),
                               MYSQL_SYSVAR(lock_wait_timeout), MYSQL_SYSVAR(max_snapshots),
                               nullptr};

SHOW_VAR status_variables[] = {
    {"mysql_pq_calls", show(counters.calls), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_refused", show(counters.refused), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_pages_read", show(counters.pages_read), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {"mysql_pq_running", show(counters.running), SHOW_LONGLONG, SHOW_SCOPE_GLOBAL},
    {nullptr, nullptr, SHOW_UNDEF, SHOW_SCOPE_GLOBAL}};

}  // namespace pq
