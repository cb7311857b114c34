#include "server/redo_log.h"

#include <atomic>
#include <chrono>
#include <cstddef>

#include "server/innodb_compat.h"
#include "server/instruments.h"
#include "server/lock_owner.h"
#include "sql/aggregated_stats.h"
#include "sql/mysqld.h"

namespace pq::redo_log {

namespace {

using Clock = std::chrono::steady_clock;

// From where a statement is counted to where it asks for its lock there are some microseconds.
constexpr std::chrono::seconds longest_way_to_lock{1};

constexpr std::uint64_t none = UINT64_MAX;

// Such statements have a number of their own that is not yet looked at.
std::atomic<std::uint64_t> quiet_number{none};

// What the thread that looks saw last. Nobody else uses them.
std::uint64_t seen_number = none;
Clock::time_point seen_since;

// Statements ALTER INSTANCE that have begun since the server started. Each is counted before it is
// executed.
std::uint64_t statements() {
  constexpr std::size_t one = sizeof(std::atomic_uint64_t);
  return global_aggregated_stats.get_single_total(offsetof(aggregated_stats_buffer, com_stat) +
                                                  SQLCOM_ALTER_INSTANCE * one);
}

// Whether nobody holds the lock that disables DDL, or waits for it. DDL itself does no harm.
bool is_lock_free() {
  Lock_owner owner;
  MDL_context context;
  context.init(&owner);
  MDL_request request;
  request.init_with_source(MDL_key::BACKUP_LOCK, "", "", MDL_INTENTION_EXCLUSIVE, MDL_EXPLICIT,
                           instruments::source_name(), 0);
  const bool failed = context.try_acquire_lock(&request);
  const bool taken = !failed && request.ticket != nullptr;
  if (taken) context.release_lock(request.ticket);
  context.destroy();
  return taken;
}

}  // namespace

std::uint64_t end() { return log_get_lsn(*log_sys); }

bool is_enabled() { return mtr_t::s_logging.is_enabled(); }

std::optional<std::uint64_t> quiet_since() {
  const std::uint64_t quiet = quiet_number.load();
  return quiet != none && quiet == statements() ? std::optional(quiet) : std::nullopt;
}

void look() noexcept {
  const std::uint64_t number = statements();
  if (number == quiet_number.load()) return;
  if (number != seen_number) {
    seen_number = number;
    seen_since = Clock::now();
    return;
  }
  if (Clock::now() - seen_since >= longest_way_to_lock && is_lock_free()) {
    quiet_number.store(number);
  }
}

}  // namespace pq::redo_log
