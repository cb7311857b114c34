// Plans ranges of one B+tree: the work behind mysql_pq_ranges and the table of ranges.
//
// The room `planning` takes an index, bounds and a number of ranges, and gives keys at which ranges
// of about the same weight begin, all of them keys that the user may see. It must not know how
// ranges are read; it only asks whether a native scan could.

#ifndef MYSQL_PQ_PLANNING_RANGE_PLAN_H
#define MYSQL_PQ_PLANNING_RANGE_PLAN_H

#include "pure/error.h"
#include "pure/reply.h"
#include "pure/request.h"

class THD;

namespace pq {

// Takes a lease, walks, and releases everything before it returns. Cost: see subtree_walk.h;
// memory: a few megabytes, and some 20 more where values off-page are weighed, whatever the tree.
// Errors: those of table_lease.h and subtree_walk.h, and unsupported_key, bad_argument for a bound,
// and those of Native_scan::check if the request has a scan.
[[nodiscard]] Result<Range_reply> plan_ranges(THD *thd, const Range_request &request);

// Returns the names of the (sub)partitions in order. A table without partitions has one entry
// without a name. Reads no page.
[[nodiscard]] Result<std::vector<std::optional<std::string>>> read_partitions(THD *thd,
                                                                              const Target &target);

// Returns only the definition. Reads no page.
[[nodiscard]] Result<std::string> read_definition(THD *thd, const Target &target);

}  // namespace pq

#endif
