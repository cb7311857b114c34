// Reports the extension's work where administrators of the server look: in performance_schema, in
// the slow log and in the server's own counters.

#ifndef MYSQL_PQ_SERVER_INSTRUMENTS_H
#define MYSQL_PQ_SERVER_INSTRUMENTS_H

#include <mysql/psi/psi_table.h>

#include <cstddef>
#include <cstdint>

class THD;
struct PSI_thread;
struct TABLE;

namespace pq::instruments {

// Names the extension's memory and thread in performance_schema. To be called once the plugin is
// loaded. A second call does nothing.
void announce();

// The place in the source that performance_schema shows. It is the server's own text, because
// performance_schema keeps the pointer even when this library is gone.
[[nodiscard]] const char *source_name();

// The key of the thread that watches snapshots.
[[nodiscard]] unsigned int watch_thread_key();

// Counts rows that a scan looked at, as a range read by SQL would have counted them: to the
// statement's rows examined (slow log, statement history), to the session's Handler_read_next, and
// to Innodb_rows_read. Only the session's own thread may call it.
void count_rows_examined(THD *thd, std::uint64_t rows);

// Counts rows that are fetched from an open table while this object lives. They are one wait of
// performance_schema (wait/io/table/sql/handler), as when the server itself fetches a batch of
// rows. It nests with other waits, so it lives in one block.
class Table_io final {
 public:
  explicit Table_io(TABLE *table);
  ~Table_io();
  Table_io(const Table_io &) = delete;
  Table_io &operator=(const Table_io &) = delete;

  void add(std::uint64_t rows) { m_rows += rows; }

 private:
  PSI_table_locker_state m_state;
  PSI_table_locker *m_locker = nullptr;
  std::uint64_t m_rows = 0;
};

// Bytes reserved by a scan of this thread, under memory/mysql_pq/scan.
class Reserved_memory final {
 public:
  Reserved_memory() = default;
  ~Reserved_memory() { set(0); }
  Reserved_memory(const Reserved_memory &) = delete;
  Reserved_memory &operator=(const Reserved_memory &) = delete;

  void set(std::size_t bytes);

 private:
  std::size_t m_bytes = 0;
  unsigned int m_key = 0;
  PSI_thread *m_owner = nullptr;
};

}  // namespace pq::instruments

#endif
