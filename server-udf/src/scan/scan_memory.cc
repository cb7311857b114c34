#include "scan/scan_memory.h"

#include <algorithm>
#include <string>

#include "server/settings.h"

namespace pq {

Scan_memory::~Scan_memory() { release(); }

void Scan_memory::keep(std::size_t bytes) {
  const auto kept = std::min(m_bytes, static_cast<long long>(bytes));
  counters.scan_memory -= m_bytes - kept;
  set(kept);
}

void Scan_memory::set(long long bytes) {
  m_bytes = bytes;
  m_shown.set(static_cast<std::size_t>(bytes));
}

Result<void> Scan_memory::reserve(std::size_t bytes) {
  release();
  if (bytes > settings::scan_memory()) {
    return fail(Code::memory_limit,
                "the scan needs " + std::to_string(bytes) +
                    " bytes: ask for smaller batches, or raise mysql_pq_scan_memory = " +
                    std::to_string(settings::scan_memory()));
  }
  set(static_cast<long long>(bytes));
  const long long all = counters.scan_memory += m_bytes;
  if (static_cast<unsigned long long>(all) <= settings::memory_limit()) return {};
  release();
  return fail(Code::memory_limit, "all scans together can use mysql_pq_memory_limit = " +
                                      std::to_string(settings::memory_limit()) +
                                      " bytes: try again when other scans have ended");
}

}  // namespace pq
