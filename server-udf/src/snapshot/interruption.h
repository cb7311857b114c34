// Interrupts other sessions, as KILL does (docs/decisions/shared-snapshot.md).

#ifndef MYSQL_PQ_SNAPSHOT_INTERRUPTION_H
#define MYSQL_PQ_SNAPSHOT_INTERRUPTION_H

#include <cstdint>

#include "snapshot/read_view.h"

namespace pq {

// One session, in one transaction.
struct Session_transaction {
  std::uint64_t session;
  Transaction transaction;
};

// Like KILL QUERY: ends the statement that runs, if one does.
void interrupt_statement(const Session_transaction &target);

// Like KILL: also ends a session that waits for its client, and with it its transaction.
void interrupt_connection(const Session_transaction &target);

// Both do nothing if that transaction is over. To be called with no lock held, from any thread.

}  // namespace pq

#endif
