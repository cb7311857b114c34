// Reads leaves of a range into the buffer pool for an administrator, without a scan behind.

#ifndef MYSQL_PQ_READAHEAD_READ_AHEAD_H
#define MYSQL_PQ_READAHEAD_READ_AHEAD_H

#include "pure/error.h"
#include "pure/readahead_request.h"
#include "pure/reply.h"

class THD;

namespace pq {

// Asks for the range's absent leaves, window by window, until its end or a limit: of pages wanted,
// or of the share of the buffer pool. Waits while too many reads are pending, and between windows
// for mysql_pq_readahead_pause; the last reads may still be pending at the end.
//
// Errors: reported (no SYSTEM_VARIABLES_ADMIN, killed), those of a table lease and of bounds.
[[nodiscard]] Result<Readahead_reply> read_ahead(THD *thd, const Readahead_request &request);

}  // namespace pq

#endif
