// What a snapshot may take of the server before it has to end.

#ifndef MYSQL_PQ_PURE_SNAPSHOT_LIMITS_H
#define MYSQL_PQ_PURE_SNAPSHOT_LIMITS_H

#include <chrono>
#include <cstdint>
#include <string>

namespace pq {

struct Snapshot_use {
  std::chrono::milliseconds age;
  std::uint64_t history;  // undo logs that purge may have to keep for it, at most
};

struct Snapshot_limits {
  std::chrono::seconds max_age;
  std::uint64_t max_history;  // 0: none
};

// Which limit is passed and which variable sets it, for people; empty if none is.
[[nodiscard]] std::string passed_limit(const Snapshot_use &use, const Snapshot_limits &limits);

}  // namespace pq

#endif
