#include "server/statement_context.h"

#include "server/canary.h"
#include "server/latch_check.h"
#include "server/mysql_compat.h"
#include "server/settings.h"

namespace pq {

namespace {

bool runs_select(const THD *thd) {
  return thd->lex->sql_command == SQLCOM_SELECT && !thd->lex->is_explain() &&
         !thd->stmt_arena->is_stmt_prepare();
}

bool is_top_level(const THD *thd) {
  return thd->in_sub_stmt == 0 && thd->sp_runtime_ctx == nullptr && !thd->slave_thread &&
         thd->system_thread == NON_SYSTEM_THREAD && !thd->is_attachable_transaction_active();
}

// A library that the server loads as it starts finds no session to compare.
Result<void> check_layouts(THD *thd) {
  const std::string wrong = canary::check_session(thd);
  if (wrong.empty()) return {};
  return fail(Code::disabled, "this build does not match the server (" + wrong + ")");
}

}  // namespace

Result<void> check_statement_context(THD *thd) {
  if (auto same = check_layouts(thd); !same) return same;
  if (!runs_select(thd)) {
    return fail(Code::bad_context, "call it in a SELECT, and not in EXPLAIN");
  }
  if (!is_top_level(thd)) {
    return fail(Code::bad_context, "call it outside of stored programs and triggers");
  }
  if (thd->locked_tables_mode != LTM_NONE) {
    return fail(Code::bad_context, "call it in a session without LOCK TABLES");
  }
  if (thd->temporary_tables != nullptr) {
    return fail(Code::bad_context, "call it in a session without temporary tables");
  }
  return {};
}

// Pushed into InnoDB as an index condition, a function is evaluated under a latch on the page of
// the row: taking further latches there deadlocks the server with itself
// (docs/decisions/boundary-protocol.md).
Result<void> check_no_tables(const THD *thd) {
  // HANDLER keeps its tables elsewhere.
  if (thd->open_tables == nullptr && thd->lex->sql_command != SQLCOM_HA_READ) return {};
  return fail(Code::bad_context, "the statement reads tables: call it in a SELECT of its own");
}

Result<void> check_interrupted(THD *thd) {
  Latches::assert_none();
  if (thd->is_killed()) {
    thd->send_kill_message();
    return fail(Code::reported, "killed");
  }
  if (!settings::enabled()) return fail(Code::disabled, "mysql_pq_enabled is OFF");
  return {};
}

}  // namespace pq
