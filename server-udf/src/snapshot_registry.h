// Keeps the snapshots that sessions exported (docs/decisions/shared-snapshot.md).

#ifndef MYSQL_PQ_SNAPSHOT_REGISTRY_H
#define MYSQL_PQ_SNAPSHOT_REGISTRY_H

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

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
  std::uint64_t donor_id;  // session
  std::chrono::milliseconds age;
  std::uint64_t adoptions;
};

namespace snapshots {

// Exports the calling session's view under a new token. bad_snapshot if its transaction cannot be a donor,
// too_many_snapshots if mysql_pq_max_snapshots live already.
[[nodiscard]] Result<Snapshot_token> add(THD *thd);

// Gives the calling session the snapshot's content and returns the snapshot's age. no_such_snapshot if the
// token is unknown, of another account, or its donor's transaction is over.
[[nodiscard]] Result<std::chrono::milliseconds> adopt(THD *thd, const Snapshot_token &token);

// Passes if the calling session has adopted the snapshot in its present transaction, still reads in it,
// and the donor lives.
[[nodiscard]] Result<std::chrono::milliseconds> verify(THD *thd, const Snapshot_token &token);

// Whether none lives. Forgets the others.
[[nodiscard]] bool none_alive();

// Those that live. Forgets the others.
[[nodiscard]] std::vector<Snapshot_summary> list();

}  // namespace snapshots

}  // namespace pq

#endif
