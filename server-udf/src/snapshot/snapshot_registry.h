// Keeps the snapshots that sessions exported (docs/decisions/shared-snapshot.md).
//
// The room `snapshot` takes a session that reads in a snapshot and gives a token, with which other
// sessions read in the same one. It ends snapshots that have passed a limit or keep DDL waiting. It
// must not know ranges, scans and their rows.

#ifndef MYSQL_PQ_SNAPSHOT_SNAPSHOT_REGISTRY_H
#define MYSQL_PQ_SNAPSHOT_SNAPSHOT_REGISTRY_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pure/error.h"
#include "pure/request.h"
#include "pure/snapshot_token.h"
#include "snapshot/snapshot_summary.h"

class THD;

namespace pq {

namespace snapshots {

// Exports the calling session's view under a new token. bad_snapshot if its transaction cannot be a
// donor, too_many_snapshots if mysql_pq_max_snapshots live already. From then on the snapshot
// itself keeps DDL from the tables that the transaction has locked.
[[nodiscard]] Result<Snapshot_token> add(THD *thd);

// Lets the snapshot that the calling session exported keep DDL from one more table, which the
// session has locked. Nothing happens if it exported none.
[[nodiscard]] Result<void> hold(THD *thd, const Target &table);

// Lets the snapshot that the calling session exported give a table up after its last read. That is
// when `readers` readers have named the table in adopt() and proved their reading by verify(),
// counted from the export. The session gives up its own lock at once. Nothing happens if it cannot:
// see Table_locks::take_over. bad_snapshot if it exported none.
[[nodiscard]] Result<std::chrono::milliseconds> expect(THD *thd, const Target &table,
                                                       std::uint64_t readers);

// Gives the calling session the snapshot's content and returns the snapshot's age. no_such_snapshot
// if the token is unknown, of another account, or its donor's transaction is over; snapshot_expired
// or gave_way if it passed a limit; too_many_scans if mysql_pq_max_scans other sessions read in
// snapshots.
//
// Locks the tables first, for the session's transaction: at once, also behind DDL that waits. One
// that the snapshot does not hold is waited for, and unusable_table if it was altered since the
// snapshot. `reported` if the user may read no column of one. Without tables the session has to
// lock them by itself before. Who is refused sees and has locked what it did before.
[[nodiscard]] Result<std::chrono::milliseconds> adopt(THD *thd, const Snapshot_token &token,
                                                      const std::vector<Target> &tables);

// Passes if the calling session exported the snapshot or has adopted it, in its present
// transaction, still reads in it, and the donor lives. Errors as above.
[[nodiscard]] Result<std::chrono::milliseconds> verify(THD *thd, const Snapshot_token &token);

// Verifies in the middle of a read. This proves nothing yet to those who wait for the read's end.
[[nodiscard]] Result<std::chrono::milliseconds> check_batch(THD *thd, const Snapshot_token &token);

// Returns sessions to interrupt now: those of a snapshot that is found past a limit, and at
// each look from the end of its grace on. To be called at each look_interval, because it also looks
// who waits for tables.
[[nodiscard]] std::vector<Expired_snapshot> expired();

// Forgets all, with the locks that they hold. To be called when the plugin ends, while the server
// still has metadata locks.
void forget_all() noexcept;

// Whether none lives, nor any session that reads in one whose donor has ended.
[[nodiscard]] bool none_alive();

// Those that live, or have readers. All of them, or those of the calling session's account.
enum class Whose : std::uint8_t { own, all };
[[nodiscard]] std::vector<Snapshot_summary> list(THD *thd, Whose whose);

}  // namespace snapshots

}  // namespace pq

#endif
