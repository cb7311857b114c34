#include "instruments.h"

#include <mysql/psi/mysql_memory.h>
#include <mysql/psi/mysql_thread.h>

#include "innodb_compat.h"

namespace pq::instruments {

namespace {

constexpr char category[] = "mysql_pq";

PSI_memory_key scan_memory_key = PSI_NOT_INSTRUMENTED;
PSI_thread_key watch_key = PSI_NOT_INSTRUMENTED;

// performance_schema copies names and documentation, so none points into a library that was closed.
PSI_memory_info memories[] = {{&scan_memory_key, "scan", 0, PSI_VOLATILITY_UNKNOWN,
                               "Memory reserved by running calls of mysql_pq_scan"}};

PSI_thread_info threads[] = {{&watch_key, "snapshot_watch", "pq_watch", PSI_FLAG_SINGLETON, 0,
                              "Ends snapshots that passed a limit"}};

}  // namespace

void announce() {
  mysql_memory_register(category, memories, 1);
  mysql_thread_register(category, threads, 1);
}

unsigned int watch_thread_key() { return watch_key; }

void count_rows_examined(THD *thd, std::uint64_t rows) {
  thd->inc_examined_row_count(rows);
  thd->status_var.ha_read_next_count += rows;
  srv_stats.n_rows_read.add(thd->thread_id(), rows);
}

void Reserved_memory::set(std::size_t bytes) {
  if (m_bytes != 0) PSI_MEMORY_CALL(memory_free)(m_key, m_bytes, m_owner);
  m_bytes = bytes;
  m_owner = nullptr;
  if (m_bytes != 0) m_key = PSI_MEMORY_CALL(memory_alloc)(scan_memory_key, m_bytes, &m_owner);
}

}  // namespace pq::instruments
