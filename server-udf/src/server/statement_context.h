// Decides whether a statement may reach into the server at all.

#ifndef MYSQL_PQ_SERVER_STATEMENT_CONTEXT_H
#define MYSQL_PQ_SERVER_STATEMENT_CONTEXT_H

#include "pure/error.h"

class THD;

namespace pq {

// Passes in a top-level SELECT that is being executed, outside LOCK TABLES and in a session without
// temporary tables (they would shadow the table in SQL, but not here). Anything else fails with
// bad_context. Takes no lock.
[[nodiscard]] Result<void> check_statement_context(THD *thd);

// Fails with bad_context if the statement reads any table. The first thing each function checks:
// its row may be evaluated under a page latch of InnoDB's. Takes no lock.
[[nodiscard]] Result<void> check_no_tables(const THD *thd);

// Fails with `reported` if the statement was killed or ran out of time, with `disabled` if
// mysql_pq_enabled is OFF. To be called with no latch held.
[[nodiscard]] Result<void> check_interrupted(THD *thd);

}  // namespace pq

#endif
