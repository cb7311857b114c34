// Reads who last wrote a row of the data dictionary (docs/decisions/shared-snapshot.md).

#ifndef MYSQL_PQ_SNAPSHOT_DICTIONARY_ROW_H
#define MYSQL_PQ_SNAPSHOT_DICTIONARY_ROW_H

#include <cstdint>

#include "pure/error.h"

class THD;

namespace pq {

// Id of the transaction that last wrote the row of this id, which must be in the named table of the
// dictionary ("mysql/tables"). Reads the newest version: the caller holds the metadata lock under
// which the row does not change. unusable_table if there is no such row. Latches one page.
[[nodiscard]] Result<std::uint64_t> read_last_writer(THD *thd, const char *dictionary_table,
                                                     std::uint64_t id);

}  // namespace pq

#endif
