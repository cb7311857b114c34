#include "server/transaction_log.h"

#include "server/mysql_compat.h"
#include "sql/binlog.h"
#include "sql/rpl_filter.h"
#include "sql/rpl_gtid.h"
#include "sql/rpl_mi.h"
#include "sql/rpl_msr.h"

namespace pq::transaction_log {

namespace {

std::unexpected<Error> must_be(const char *what) {
  return fail(Code::bad_context, std::string("the server's ") + what);
}

class Channels_guard final {
 public:
  Channels_guard() { channel_map.rdlock(); }
  ~Channels_guard() { channel_map.unlock(); }
  Channels_guard(const Channels_guard &) = delete;
  Channels_guard &operator=(const Channels_guard &) = delete;
};

bool is_replica() {
  const Channels_guard guard;
  for (uint i = 0; i < channel_map.get_max_channels(); ++i) {
    if (Master_info::is_configured(channel_map.get_mi_at_pos(i))) return true;
  }
  return false;
}

}  // namespace

Result<void> check_numbered() {
  if (global_gtid_mode.get() != Gtid_mode::ON) return must_be("gtid_mode must be ON");
  if (!opt_bin_log) return must_be("log_bin must be ON");
  if (!opt_log_replica_updates) return must_be("log_replica_updates must be ON");
  // It may have been closed after an error.
  if (!mysql_bin_log.is_open()) return must_be("binary log must be open");
  // What it leaves out gets its number after the commit.
  if (!binlog_filter->get_do_db()->is_empty() || !binlog_filter->get_ignore_db()->is_empty()) {
    return must_be("binlog_do_db and binlog_ignore_db must be empty");
  }
  return {};
}

std::string executed() {
  const Checkable_rwlock::Guard guard(*global_tsid_lock, Checkable_rwlock::WRITE_LOCK);
  const Gtid_set *set = gtid_state->get_executed_gtids();
  std::string text(set->get_string_length() + 1, '\0');
  text.resize(set->to_string(text.data()));
  return text;
}

bool has_ordered_appliers() {
  return opt_replica_preserve_commit_order && opt_mts_replica_parallel_workers > 1 && is_replica();
}

}  // namespace pq::transaction_log
