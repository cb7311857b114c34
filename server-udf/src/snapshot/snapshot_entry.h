// One snapshot that a session exported: who reads in it, what it holds, and why it ended
// (docs/decisions/ddl.md).

#ifndef MYSQL_PQ_SNAPSHOT_SNAPSHOT_ENTRY_H
#define MYSQL_PQ_SNAPSHOT_SNAPSHOT_ENTRY_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "pure/error.h"
#include "pure/snapshot_token.h"
#include "snapshot/interruption.h"
#include "snapshot/read_view.h"
#include "snapshot/snapshot_summary.h"
#include "table/table_locks.h"

class THD;

namespace pq {

using Locked_names = std::unordered_set<Locked_name, Locked_name::Hash>;

// A transaction that reads in a snapshot, or has read in it. It keeps the locks that it was lent
// until it ends.
struct Adopter {
  Transaction transaction;
  // The tables that it reads. None if it did not tell: it may then read any of the snapshot's.
  std::optional<Locked_names> tables;
  bool proved = false;
  bool left = false;  // for another snapshot
};

// What is known of a table that the snapshot holds.
struct Table_reads {
  bool named = false;                       // by somebody who may read it
  std::uint64_t proved = 0;                 // how often it was read to the end
  std::optional<std::uint64_t> expected{};  // how often it will be, if somebody told
};

// A snapshot and the transactions that adopted it, by session. All of it is guarded by the mutex of
// the registry, which has a list of these.
struct Snapshot_entry {
  using Clock = std::chrono::steady_clock;

  Snapshot_token token;
  Account owner;
  Session_transaction donor;
  Clock::time_point begun;
  std::shared_ptr<const Exported_view> view;  // none once it is over
  std::shared_ptr<Table_locks> locks;
  std::unordered_map<std::uint64_t, Adopter> adopters{};
  std::unordered_map<Locked_name, Table_reads, Locked_name::Hash> reads{};
  // Tables that the donor gave up. The snapshot holds them until they are read, and may again.
  Locked_names told{};
  std::uint64_t adoptions = 0;
  std::string why_expired{};   // empty if it has not
  std::string secret_wait{};   // the table for which it ended, if that is not told
  bool gave_way = false;       // to a session that waited for a table
  bool is_waited_for = false;  // since it expired
  Clock::time_point expired_at{};
  bool interrupted = false;

  [[nodiscard]] std::chrono::milliseconds age() const;

  // Whether the donor's transaction runs.
  [[nodiscard]] bool is_offered() const;

  // Whether nobody reads in it any more, or keeps what it has lent.
  [[nodiscard]] bool is_over() const;

  [[nodiscard]] std::size_t count_readers() const;
  [[nodiscard]] Snapshot_summary summary() const;

  // Whether the session is the donor or an adopter, and whether the transaction adopted the
  // snapshot and still reads in it.
  [[nodiscard]] bool has_session(std::uint64_t session) const;
  [[nodiscard]] bool is_adopter(const Session_transaction &reader) const;
  [[nodiscard]] bool reads_in(const Session_transaction &reader) const;

  void release_unread_tables();
  void count_proof(Adopter &adopter);
  void keep_what_is_locked_again(THD *donor_session);

  // bad_snapshot if the session has locked a table that the snapshot gave up and the session did
  // not name.
  [[nodiscard]] Result<void> check_given_up(THD *thd,
                                            const std::optional<Locked_names> &named) const;

  // Finds out whether a limit is passed or the extension disabled. What has once expired stays so.
  bool has_expired();

  // The error of an expired snapshot.
  [[nodiscard]] std::unexpected<Error> expiry() const;

  // Lets the snapshot give way to a session that waits for a table.
  void look_who_waits();

  // Whom to interrupt. The snapshot must have expired.
  [[nodiscard]] Expired_snapshot expired_now();

 private:
  [[nodiscard]] bool is_read(const Locked_name &name) const;
  [[nodiscard]] bool is_read_to_end(const Locked_name &name) const;
  [[nodiscard]] bool is_named(const Locked_name &name) const;
  bool expire(std::string why);
  [[nodiscard]] std::chrono::milliseconds grace() const;
};

}  // namespace pq

#endif
