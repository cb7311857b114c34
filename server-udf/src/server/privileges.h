// The privileges that some functions need beyond SELECT on their table.

#ifndef MYSQL_PQ_SERVER_PRIVILEGES_H
#define MYSQL_PQ_SERVER_PRIVILEGES_H

#include "pure/error.h"

class THD;

namespace pq {

// `reported` (1227) unless the session's user has SUPER or the dynamic privilege.
[[nodiscard]] Result<void> check_administrator(THD *thd, const char *privilege);

}  // namespace pq

#endif
