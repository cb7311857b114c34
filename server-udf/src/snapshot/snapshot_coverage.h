// Tells whether a table is still what it was at a snapshot's moment
// (docs/decisions/shared-snapshot.md).

#ifndef MYSQL_PQ_SNAPSHOT_SNAPSHOT_COVERAGE_H
#define MYSQL_PQ_SNAPSHOT_SNAPSHOT_COVERAGE_H

#include "pure/error.h"
#include "pure/request.h"

class THD;

namespace pq {

struct View_content;

// Whether nothing created, altered or replaced the table or a partition of it since the moment that
// the session's snapshot shows. Only of use to a session that has the table locked. bad_snapshot if
// the session has no snapshot that could be shared; the errors of a table lease.
[[nodiscard]] Result<bool> covers(THD *thd, const Target &target);

// The same for a snapshot that the session need not read in.
[[nodiscard]] Result<bool> covers(THD *thd, const Target &target, const View_content &content);

}  // namespace pq

#endif
