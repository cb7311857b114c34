#include "planning/visibility.h"

#include "server/innodb_guards.h"

namespace pq {

namespace {

// All transactions with lesser ids are over.
trx_id_t least_active_id() {
  const Trx_sys_mutex_guard guard;
  return trx_sys->rw_trx_ids.empty() ? trx_sys_get_next_trx_id_or_no()
                                     : trx_sys->rw_trx_ids.front();
}

}  // namespace

Visibility::Visibility(THD *thd) {
  const trx_t *trx = thd_to_trx(thd);
  if (trx != nullptr) {
    m_own_id = trx->id;
    if (MVCC::is_view_active(trx->read_view) && !is_closed(trx->read_view)) {
      m_view = trx->read_view;
    }
  }
  m_first_unseen = m_view != nullptr ? m_view->m_up_limit_id : least_active_id();
}

}  // namespace pq
