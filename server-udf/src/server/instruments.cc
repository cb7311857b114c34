#include "server/instruments.h"

#include <mysql/psi/mysql_memory.h>
#include <mysql/psi/mysql_table.h>
#include <mysql/psi/mysql_thread.h>

#include "server/innodb_compat.h"

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

const char *source_name() { return my_progname == nullptr ? "" : my_progname; }

unsigned int watch_thread_key() { return watch_key; }

void count_rows_examined(THD *thd, std::uint64_t rows) {
  thd->inc_examined_row_count(rows);
  thd->status_var.ha_read_next_count += rows;
  srv_stats.n_rows_read.add(thd->thread_id(), rows);
}

// Counts for the primary key, where the server knows one.
Table_io::Table_io(TABLE *table) {
  PSI_table *psi = table->file->m_psi;
  if (psi == nullptr) return;
  const unsigned int index =
      table->s->primary_key < table->s->keys ? table->s->primary_key : MAX_INDEXES;
  m_locker = PSI_TABLE_CALL(start_table_io_wait)(&m_state, psi, PSI_TABLE_FETCH_ROW, index,
                                                 source_name(), 0);
}

Table_io::~Table_io() {
  if (m_locker != nullptr) PSI_TABLE_CALL(end_table_io_wait)(m_locker, m_rows);
}

void Reserved_memory::set(std::size_t bytes) {
  if (m_bytes != 0) PSI_MEMORY_CALL(memory_free)(m_key, m_bytes, m_owner);
  m_bytes = bytes;
  m_owner = nullptr;
  if (m_bytes != 0) m_key = PSI_MEMORY_CALL(memory_alloc)(scan_memory_key, m_bytes, &m_owner);
}

}  // namespace pq::instruments
