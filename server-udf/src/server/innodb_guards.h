// Owners of InnoDB's resources, each released at the end of its block.

#ifndef MYSQL_PQ_SERVER_INNODB_GUARDS_H
#define MYSQL_PQ_SERVER_INNODB_GUARDS_H

#include "server/innodb_compat.h"
#include "server/latch_check.h"

namespace pq {

// A mini-transaction that writes nothing. Its end releases every latch taken in it, last first.
class Read_mtr final {
 public:
  Read_mtr() {
    Latches::take();
    m_mtr.start();
    m_mtr.set_log_mode(MTR_LOG_NO_REDO);
  }
  ~Read_mtr() {
    m_mtr.commit();
    Latches::release();
  }
  Read_mtr(const Read_mtr &) = delete;
  Read_mtr &operator=(const Read_mtr &) = delete;

  [[nodiscard]] mtr_t *get() { return &m_mtr; }

 private:
  mtr_t m_mtr;
};

class Heap final {
 public:
  explicit Heap(ulint bytes) : m_heap(mem_heap_create(bytes, UT_LOCATION_HERE)) {}
  ~Heap() { mem_heap_free(m_heap); }
  Heap(const Heap &) = delete;
  Heap &operator=(const Heap &) = delete;

  [[nodiscard]] mem_heap_t *get() { return m_heap; }

 private:
  mem_heap_t *m_heap;
};

// Lets a table's statistics be read. Where the server has a latch for that, it is ordered after no
// other: hold none when making this.
class Statistics_guard final {
 public:
  explicit Statistics_guard(dict_table_t *table) : m_table(table) {
    Latches::assert_none();
    begin_reading_statistics(m_table);
  }
  ~Statistics_guard() { end_reading_statistics(m_table); }
  Statistics_guard(const Statistics_guard &) = delete;
  Statistics_guard &operator=(const Statistics_guard &) = delete;

 private:
  dict_table_t *m_table;
};

// Taken where no other latch is held, and no latch is taken while it is held.
class Trx_sys_mutex_guard final {
 public:
  Trx_sys_mutex_guard() {
    Latches::assert_none();
    trx_sys_mutex_enter();
    Latches::take();
  }
  ~Trx_sys_mutex_guard() {
    Latches::release();
    trx_sys_mutex_exit();
  }
  Trx_sys_mutex_guard(const Trx_sys_mutex_guard &) = delete;
  Trx_sys_mutex_guard &operator=(const Trx_sys_mutex_guard &) = delete;
};

}  // namespace pq

#endif
