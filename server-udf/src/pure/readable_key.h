// Writes a key for people.

#ifndef MYSQL_PQ_PURE_READABLE_KEY_H
#define MYSQL_PQ_PURE_READABLE_KEY_H

#include <string>
#include <vector>

#include "pure/key_codec.h"
#include "pure/reply.h"

namespace pq {

// The values separated by ", ": numbers and dates as they are, text of utf8mb4 in quotes, other
// bytes as 0x..., NULL as NULL. Not for parsing: nothing is escaped.
[[nodiscard]] std::string write_readable_key(const std::vector<Key_column> &columns,
                                             const Boundary &boundary);

}  // namespace pq

#endif
