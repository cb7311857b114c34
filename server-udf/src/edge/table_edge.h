// The edge between the server and the extension's tables of INFORMATION_SCHEMA.

#ifndef MYSQL_PQ_EDGE_TABLE_EDGE_H
#define MYSQL_PQ_EDGE_TABLE_EDGE_H

#include "edge/sql_error.h"
#include "pure/error.h"
#include "server/canary.h"
#include "server/settings.h"

namespace pq {

// What fills a table, as the server calls it: 0, or 1 with the statement's error set. Nothing may
// leave it by exception, whose handlers are the server's.
template <class Fill>
[[nodiscard]] int fill_safely(const Fill &fill) noexcept {
  Result<void> filled;
  try {
    filled = fill();
  } catch (...) {
    filled = std::unexpected(Error{Code::out_of_memory, {}});
  }
  if (filled) return 0;
  ++counters.refused;
  report(filled.error());
  return 1;
}

// The tables ask this as well as mysql_pq, without which the server initialises them all the same.
[[nodiscard]] inline bool is_for_this_server() noexcept {
  try {
    return canary::check_version().empty();
  } catch (...) {
    return false;
  }
}

}  // namespace pq

#endif
