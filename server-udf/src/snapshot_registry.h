// Keeps the snapshots that sessions exported (docs/decisions/shared-snapshot.md).

#ifndef MYSQL_PQ_SNAPSHOT_REGISTRY_H
#define MYSQL_PQ_SNAPSHOT_REGISTRY_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interruption.h"
#include "pure/error.h"
#include "pure/snapshot_token.h"
#include "read_view.h"

namespace pq {

// Of a session, as it was authenticated.
struct Account {
  std::string user;
  std::string host;

  bool operator==(const Account &) const = default;
};

// What people may see of a snapshot.
struct Snapshot_summary {
  Account owner;
  std::optional<std::uint64_t> donor_id;  // session; none once its transaction is over
  bool expired;
  std::chrono::milliseconds age;
  std::uint64_t readers;
  std::uint64_t adoptions;
  std::uint64_t history;  // undo logs that purge may have to keep for it, at most
};

// A snapshot that passed a limit, with the sessions that still read in it, the donor's included.
struct Expired_snapshot {
  Account owner;
  std::uint64_t donor_id;  // session
  std::string why;
  std::vector<Session_transaction> sessions;
  bool found_now;  // for the first time
  bool close;      // they had time enough to end by themselves
};

namespace snapshots {

// Exports the calling session's view under a new token. bad_snapshot if its transaction cannot be a donor,
// too_many_snapshots if mysql_pq_max_snapshots live already.
[[nodiscard]] Result<Snapshot_token> add(THD *thd);

// Gives the calling session the snapshot's content and returns the snapshot's age. no_such_snapshot if the
// token is unknown, of another account, or its donor's transaction is over; snapshot_expired if it passed a
// limit; too_many_scans if mysql_pq_max_scans other sessions read in snapshots.
[[nodiscard]] Result<std::chrono::milliseconds> adopt(THD *thd, const Snapshot_token &token);

// Passes if the calling session exported the snapshot or has adopted it, in its present transaction, still
// reads in it, and the donor lives. Errors as above.
[[nodiscard]] Result<std::chrono::milliseconds> verify(THD *thd, const Snapshot_token &token);

// Those to interrupt now: when a limit is found passed, and from the end of the grace on.
[[nodiscard]] std::vector<Expired_snapshot> expired();

// Whether none lives, nor any session that reads in one whose donor has ended.
[[nodiscard]] bool none_alive();

// Those that live, or have readers. All of them, or those of the calling session's account.
enum class Whose : std::uint8_t { own, all };
[[nodiscard]] std::vector<Snapshot_summary> list(THD *thd, Whose whose);

}  // namespace snapshots

}  // namespace pq

#endif
