// Shares out the memory that native scans may use.

#ifndef MYSQL_PQ_SCAN_SCAN_MEMORY_H
#define MYSQL_PQ_SCAN_SCAN_MEMORY_H

#include <cstddef>

#include "pure/error.h"
#include "server/instruments.h"

namespace pq {

// Bytes that one scan has reserved until it is destroyed.
class Scan_memory final {
 public:
  Scan_memory() = default;
  ~Scan_memory();
  Scan_memory(const Scan_memory &) = delete;
  Scan_memory &operator=(const Scan_memory &) = delete;

  // Replaces what was reserved before. memory_limit if that is more than mysql_pq_scan_memory, or
  // with the other scans of the server more than mysql_pq_memory_limit.
  [[nodiscard]] Result<void> reserve(std::size_t bytes);

  // Keeps `bytes` of them at most. Cannot fail.
  void keep(std::size_t bytes);
  void release() { keep(0); }

 private:
  void set(long long bytes);

  long long m_bytes = 0;
  instruments::Reserved_memory m_shown;
};

}  // namespace pq

#endif
