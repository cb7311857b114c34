// Tells which transactions' changes a session sees, without opening a read view for it.

#ifndef MYSQL_PQ_PLANNING_VISIBILITY_H
#define MYSQL_PQ_PLANNING_VISIBILITY_H

#include "server/innodb_compat.h"

namespace pq {

// Sees what the session's open read view sees. A session without one sees what is committed, and
// its own changes: a consistent read that it began now would see no less.
class Visibility final {
 public:
  // Takes the trx_sys mutex briefly, unless the session has an open view.
  explicit Visibility(THD *thd);

  // Whether the change is visible. Takes one mutex at most, that of a shard of trx_sys, which may
  // be taken under page latches.
  [[nodiscard]] bool sees(trx_id_t writer, const dict_table_t *table) const noexcept {
    if (m_view != nullptr) return m_view->changes_visible(writer, table->name);
    return writer == m_own_id || trx_rw_is_active(writer, false) == nullptr;
  }

  // Whether the changes of all transactions up to this one are.
  [[nodiscard]] bool sees_all_until(trx_id_t last) const noexcept { return last < m_first_unseen; }

 private:
  const ReadView *m_view = nullptr;
  trx_id_t m_own_id = 0;
  trx_id_t m_first_unseen = 0;
};

}  // namespace pq

#endif
