#include "snapshot/commit_pause.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "server/instruments.h"
#include "server/latch_check.h"
#include "server/mysql_compat.h"
#include "server/statement_context.h"
#include "server/transaction_log.h"

namespace pq {

namespace {

using Clock = std::chrono::steady_clock;

// One session at a time: each lets commits wait.
std::mutex waiting;
// Guarded by `waiting`: when commits may have to wait again.
Clock::time_point next_wait;

std::unexpected<Error> ask_again() {
  return fail(Code::bad_context,
              "another session keeps commits waiting, or has just done so for a second: ask again "
              "in a moment");
}

MDL_request request_pause() {
  MDL_request request;
  request.init_with_source(MDL_key::COMMIT, "", "", MDL_SHARED, MDL_EXPLICIT,
                           instruments::source_name(), 0);
  return request;
}

std::unexpected<Error> did_not_pause() { return fail(Code::reported, "commits did not pause"); }

// Fails if the commits that have begun do not end.
Result<MDL_ticket *> wait_for_commits(THD *thd) {
  MDL_request request = request_pause();
  const auto limit = static_cast<unsigned long>(Commit_pause::longest_wait.count());
  const bool failed = thd->mdl_context.acquire_lock(
      &request, std::min<unsigned long>(thd->variables.lock_wait_timeout, limit));
  if (failed) return did_not_pause();
  return request.ticket;
}

// No ticket if something commits.
Result<MDL_ticket *> look(THD *thd) {
  MDL_request request = request_pause();
  // It has reported that memory is short.
  if (thd->mdl_context.try_acquire_lock(&request)) return did_not_pause();
  return request.ticket;
}

std::unexpected<Error> found_no_pause() {
  my_error(ER_LOCK_WAIT_TIMEOUT, MYF(0));
  return did_not_pause();
}

constexpr Clock::duration shortest_rest = std::chrono::microseconds(50);
constexpr Clock::duration longest_rest = std::chrono::milliseconds(5);
// It looks for a tenth of the time: whoever commits needs the same locks.
constexpr int rests = 9;

// Counts those that wait for transactions. All of them together are not to be in the way of
// commits.
class Looker final {
 public:
  Looker() : m_number(lookers.fetch_add(1)) {}
  ~Looker() { lookers.fetch_sub(1); }
  Looker(const Looker &) = delete;
  Looker &operator=(const Looker &) = delete;
  bool is_surplus() const { return m_number >= most_lookers; }

 private:
  static constexpr int most_lookers = 8;
  static inline std::atomic<int> lookers{0};

  const int m_number;
};

// Fails if something commits whenever it looks.
Result<MDL_ticket *> look_for_pause(THD *thd) {
  const auto end = Clock::now() + Commit_pause::longest_wait;
  do {
    const auto ticket = look(thd);
    if (!ticket || *ticket != nullptr) return ticket;
    if (auto running = check_interrupted(thd); !running) return std::unexpected(running.error());
    std::this_thread::sleep_for(shortest_rest);
  } while (Clock::now() < end);
  return found_no_pause();
}

}  // namespace

Result<Commit_pause> Commit_pause::begin(THD *thd) {
  Latches::assert_none();
  const bool in_order = transaction_log::has_ordered_appliers();
  const std::unique_lock<std::mutex> guard(waiting, std::try_to_lock);
  if (!guard.owns_lock() || Clock::now() < next_wait) return ask_again();
  const auto ticket = in_order ? look_for_pause(thd) : wait_for_commits(thd);
  if (ticket) return Commit_pause(thd, *ticket);
  if (!in_order) next_wait = Clock::now() + longest_wait;
  return std::unexpected(ticket.error());
}

Result<Commit_pause> Commit_pause::look_for(THD *thd, const transaction_log::Awaited &awaited,
                                            std::chrono::milliseconds limit) {
  Latches::assert_none();
  const Looker looker;
  if (looker.is_surplus()) {
    return fail(Code::bad_context,
                "too many sessions wait for transactions: ask again in a moment");
  }
  const auto end = Clock::now() + limit;
  for (;;) {
    const auto begun = Clock::now();
    // The last look takes what there is.
    const bool is_last = begun >= end;
    if (is_last || !awaited.may_come()) {
      const auto ticket = look(thd);
      if (!ticket) return std::unexpected(ticket.error());
      if (*ticket != nullptr) return Commit_pause(thd, *ticket);
    }
    if (is_last) return found_no_pause();
    if (auto running = check_interrupted(thd); !running) return std::unexpected(running.error());
    std::this_thread::sleep_for(
        std::clamp(rests * (Clock::now() - begun), shortest_rest, longest_rest));
  }
}

Commit_pause::Commit_pause(Commit_pause &&other) noexcept
    : m_thd(other.m_thd), m_ticket(std::exchange(other.m_ticket, nullptr)) {}

Commit_pause::~Commit_pause() {
  if (m_ticket != nullptr) m_thd->mdl_context.release_lock(m_ticket);
}

}  // namespace pq
