// InnoDB's headers that the extension needs. A file that includes this must not define
// MYSQL_DYNAMIC_PLUGIN, which renames ha_innobase.

#ifndef MYSQL_PQ_SERVER_INNODB_COMPAT_H
#define MYSQL_PQ_SERVER_INNODB_COMPAT_H

#include "server/mysql_compat.h"

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

// What the statistics say. To be read under their latch.
inline ulint leaf_pages(const dict_index_t *index) { return index->stats.n_leaf_pages; }

// The view may be another session's, which closes it without a latch, because the flag is atomic.
inline bool is_closed(const ReadView *view) { return view->is_closed(); }

}  // namespace pq

#endif
