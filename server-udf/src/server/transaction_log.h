// What the server notes of transactions when they commit (docs/decisions/snapshot-position.md).

#ifndef MYSQL_PQ_SERVER_TRANSACTION_LOG_H
#define MYSQL_PQ_SERVER_TRANSACTION_LOG_H

#include <string>

#include "pure/error.h"

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

}  // namespace pq::transaction_log

#endif
