#include "snapshot/interruption.h"

#include "server/mysql_compat.h"
#include "sql/mysqld_thd_manager.h"

namespace pq {

namespace {

// The session is found and held as KILL does it (kill_one_thread in sql/sql_parse.cc): it cannot be
// freed while its LOCK_thd_data is held, which THD_ptr does. A transaction that is still running
// belongs to the session that began it, so a number that was given to a new session meanwhile harms
// nobody.
void interrupt(const Session_transaction &target, THD::killed_state how) {
  Find_thd_with_id by_id(static_cast<my_thread_id>(target.session));
  THD_ptr thd = Global_THD_manager::get_instance()->find_thd(&by_id);
  if (!thd || !is_running(target.transaction)) return;
  // Without this, somebody's KILL of the session would become a KILL of its statement. KILL itself
  // avoids that in the same way.
  if (how == THD::KILL_QUERY && thd->killed == THD::KILL_CONNECTION) return;
  thd->awake(how);
}

}  // namespace

void interrupt_statement(const Session_transaction &target) { interrupt(target, THD::KILL_QUERY); }

void interrupt_connection(const Session_transaction &target) {
  interrupt(target, THD::KILL_CONNECTION);
}

}  // namespace pq
