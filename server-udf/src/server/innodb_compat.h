// InnoDB's headers that the extension needs. A file that includes this must not define
// MYSQL_DYNAMIC_PLUGIN, which renames ha_innobase.

#ifndef MYSQL_PQ_SERVER_INNODB_COMPAT_H
#define MYSQL_PQ_SERVER_INNODB_COMPAT_H

#include "server/mysql_compat.h"

#include <atomic>

#include "btr0btr.h"
#include "btr0pcur.h"
#include "buf0buf.h"
#include "buf0rea.h"
#include "data0data.h"
#include "dict0dd.h"
#include "dict0dict.h"
#include "dict0mem.h"
#include "dict0stats.h"
#include "fil0fil.h"
#include "fsp0fsp.h"
#include "ha_innodb.h"
#include "ha_innopart.h"
#include "ha_prototypes.h"
#include "lob0lob.h"
#include "log0log.h"
#include "mtr0mtr.h"
#include "os0file.h"
#include "page0cur.h"
#include "read0read.h"
#include "rem0cmp.h"
#include "rem0rec.h"
#include "row0row.h"
#include "row0vers.h"
#include "srv0srv.h"
#include "trx0rec.h"
#include "trx0sys.h"
#include "trx0trx.h"

namespace pq {

// The statistics of a table may be read between these two (docs/decisions/mysql-8.4.md).
#if PQ_SERIES(8, 4)
// 8.4 holds their latch exclusively for as long as it samples pages, and whoever waits for a latch
// for 600 seconds ends the server. Statements of 8.4 read them without the latch, as this does.
// Each is a number of one word. What is read while they are computed is a worse estimate.
inline void begin_reading_statistics(dict_table_t *) {}
inline void end_reading_statistics(dict_table_t *) {}
inline ulint leaf_pages(const dict_index_t *index) { return index->stat_n_leaf_pages; }
#else
// 9.7 computes them elsewhere, and holds the latch exclusively only to copy them.
inline void begin_reading_statistics(dict_table_t *table) {
  dict_table_stats_lock(table, RW_S_LATCH);
}
inline void end_reading_statistics(dict_table_t *table) {
  dict_table_stats_unlock(table, RW_S_LATCH);
}
inline ulint leaf_pages(const dict_index_t *index) { return index->stats.n_leaf_pages; }
#endif

// The view may be another session's, which closes it without a latch.
#if PQ_SERIES(8, 4)
// The flag is a plain bool in 8.4. What callers read after it must not be read before it.
inline bool is_closed(const ReadView *view) {
  return std::atomic_ref(const_cast<bool &>(view->m_closed)).load();
}
#else
inline bool is_closed(const ReadView *view) { return view->is_closed(); }
#endif

}  // namespace pq

#endif
