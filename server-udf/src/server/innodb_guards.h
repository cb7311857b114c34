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

// The shared latch on a table's statistics. Ordered after no other latch: hold none when taking it.
class Statistics_latch final {
 public:
  explicit Statistics_latch(dict_table_t *table) : m_table(table) {
    Latches::assert_none();
    dict_table_stats_lock(m_table, RW_S_LATCH);
  }
  ~Statistics_latch() { dict_table_stats_unlock(m_table, RW_S_LATCH); }
  Statistics_latch(const Statistics_latch &) = delete;
  Statistics_latch &operator=(const Statistics_latch &) = delete;

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
