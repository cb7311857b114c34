#include "server/transaction_log.h"

#include "pure/arguments.h"
#include "pure/utf8.h"
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
  // The number of workers may have been set after they began.
  return opt_replica_preserve_commit_order && is_replica();
}

Awaited::Awaited()
    : m_names(std::make_unique<Tsid_map>(nullptr)),
      m_set(std::make_unique<Gtid_set>(m_names.get())) {}

Awaited::Awaited(Awaited &&) noexcept = default;

// The set needs its names to the last.
Awaited::~Awaited() { m_set.reset(); }

Result<Awaited> Awaited::parse(const std::string &text) {
  // The server takes a time that grows with the square of the intervals.
  if (text.size() > most_bytes) {
    return arguments::bad("a set of GTIDs", "must have at most " + std::to_string(most_bytes) +
                                                " bytes: it has " + std::to_string(text.size()));
  }
  // What is not a set would be reported by the server, with an error of its own.
  if (text.contains('\0') || !Gtid_set::is_valid(text.c_str())) {
    return arguments::bad("'" + printable(text) + "'", "must be a set of GTIDs as MySQL writes it");
  }
  Awaited awaited;
  if (awaited.m_set->add_gtid_text(text.c_str()) != RETURN_STATUS_OK) {
    return fail(Code::reported, "a set of GTIDs cannot be read");
  }
  return awaited;
}

bool Awaited::may_come() const {
  const Checkable_rwlock::Guard guard(*global_tsid_lock, Checkable_rwlock::WRITE_LOCK);
  return gtid_state->get_executed_gtids()->is_subset_not_equals(m_set.get());
}

}  // namespace pq::transaction_log
