// What a caller wants read ahead, checked against the rules of docs/protocol.md.

#ifndef MYSQL_PQ_PURE_READAHEAD_REQUEST_H
#define MYSQL_PQ_PURE_READAHEAD_REQUEST_H

#include <cstdint>
#include <vector>

#include "pure/error.h"
#include "pure/request.h"

namespace pq {

constexpr std::uint32_t max_readahead_pages = 2147483647;

struct Readahead_request {
  Target target;
  std::vector<Written_value> lower;  // empty: no bound
  std::vector<Written_value> upper;
  std::uint32_t pages = max_readahead_pages;  // that are asked for at most
};

// Arguments schema, table, index and options (may be SQL NULL).
[[nodiscard]] Result<Readahead_request> read_readahead_request(const Argument &schema,
                                                               const Argument &table,
                                                               const Argument &index,
                                                               const Argument &options);

}  // namespace pq

#endif
