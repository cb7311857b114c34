// Keeps transactions from committing for a moment (docs/decisions/snapshot-position.md).

#ifndef MYSQL_PQ_SNAPSHOT_COMMIT_PAUSE_H
#define MYSQL_PQ_SNAPSHOT_COMMIT_PAUSE_H

#include <chrono>

#include "pure/error.h"
#include "server/transaction_log.h"

class MDL_ticket;
class THD;

namespace pq {

// While it lives, no transaction of the server that wrote rows is between the beginning and the end
// of its commit, and none begins to commit. It is the half of FLUSH TABLES WITH READ LOCK that
// blocks commits: no table is closed, and no statement waits before its commit.
class Commit_pause final {
 public:
  // How long new commits may have to wait for those that have begun, and how long they are then
  // left alone.
  static constexpr std::chrono::seconds longest_wait{1};

  // Waits for the commits that have begun. `reported` (1205) if they take longer than longest_wait,
  // 1317 if the session is killed meanwhile, and bad_context if another session waits or has just
  // waited in vain.
  //
  // Where appliers commit in order, it only looks again and again for a moment in which nothing
  // commits: MySQL would take back the transactions of those that wait behind it.
  [[nodiscard]] static Result<Commit_pause> begin(THD *thd);

  // Looks again and again for a moment in which nothing commits, and the awaited transactions have
  // come or cannot come any more. When the time is over it takes a moment without commits all the
  // same. No commit waits. `reported` (1205) if there is none, and bad_context if too many look.
  [[nodiscard]] static Result<Commit_pause> look_for(THD *thd,
                                                     const transaction_log::Awaited &awaited,
                                                     std::chrono::milliseconds limit);

  Commit_pause(Commit_pause &&other) noexcept;
  Commit_pause(const Commit_pause &) = delete;
  Commit_pause &operator=(const Commit_pause &) = delete;
  ~Commit_pause();

 private:
  Commit_pause(THD *thd, MDL_ticket *ticket) : m_thd(thd), m_ticket(ticket) {}

  THD *m_thd;
  MDL_ticket *m_ticket;
};

}  // namespace pq

#endif
