// What a snapshot shows of itself: to people, and to the thread that ends it.

#ifndef MYSQL_PQ_SNAPSHOT_SNAPSHOT_SUMMARY_H
#define MYSQL_PQ_SNAPSHOT_SNAPSHOT_SUMMARY_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snapshot/interruption.h"

namespace pq {

// An account as which a session was authenticated.
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
  std::string secret_wait;  // the table for which another session waits, if `why` must not name it
  std::vector<Session_transaction> sessions;
  bool found_now;  // for the first time
  bool close;      // they had time enough to end by themselves
};

namespace snapshots {

// How often it is looked who waits for tables, and which snapshots have passed a limit.
constexpr std::chrono::milliseconds look_interval{50};

}  // namespace snapshots

}  // namespace pq

#endif
