// What the server notes of transactions when they commit (docs/decisions/snapshot-position.md).

#ifndef MYSQL_PQ_SERVER_TRANSACTION_LOG_H
#define MYSQL_PQ_SERVER_TRANSACTION_LOG_H

#include <cstddef>
#include <memory>
#include <string>

#include "pure/error.h"

class Gtid_set;
class Tsid_map;

namespace pq::transaction_log {

// bad_context unless each transaction that the server replicates has a GTID, which enters
// gtid_executed before its commit ends. Takes no lock.
[[nodiscard]] Result<void> check_numbered();

// gtid_executed. Takes global_tsid_lock, for which commits wait; nothing else is taken under it.
// Throws bad_alloc.
[[nodiscard]] std::string executed();

// Whether appliers of the server wait for each other while they commit. Takes the lock of the
// channels.
[[nodiscard]] bool has_ordered_appliers();

// Transactions that the server is to have.
class Awaited final {
 public:
  static constexpr std::size_t most_bytes = 65536;

  // Reads a set of GTIDs. Fails with bad_argument.
  [[nodiscard]] static Result<Awaited> parse(const std::string &text);

  Awaited(Awaited &&) noexcept;
  Awaited(const Awaited &) = delete;
  Awaited &operator=(const Awaited &) = delete;
  ~Awaited();

  // Whether the server lacks some of them, and has no others. Takes global_tsid_lock.
  [[nodiscard]] bool may_come() const;

 private:
  Awaited();

  std::unique_ptr<Tsid_map> m_names;
  std::unique_ptr<Gtid_set> m_set;
};

}  // namespace pq::transaction_log

#endif
