#include "table/nested_open.h"

#include <algorithm>

#include "server/settings.h"
#include "server/statement_context.h"

namespace pq {

Nested_open::Nested_open(THD *thd)
    : m_thd(thd),
      m_lock_wait_timeout_s(thd->variables.lock_wait_timeout),
      m_memory(PSI_NOT_INSTRUMENTED, 8192),
      m_arena(&m_memory, Query_arena::STMT_REGULAR_EXECUTION),
      m_outer_statement_arena(thd->stmt_arena),
      m_outer_lex(thd->lex) {
  thd->reset_n_backup_open_tables_state(&m_open_tables, 0);
  thd->variables.lock_wait_timeout =
      std::min(m_lock_wait_timeout_s, settings::lock_wait_timeout_s());
  thd->stmt_arena = &m_arena;
  thd->swap_query_arena(m_arena, &m_outer_arena);
  thd->lex = &m_lex;
  lex_start(thd);
  // A view then stays unexpanded; it is refused anyway.
  m_lex.context_analysis_only = CONTEXT_ANALYSIS_ONLY_VIEW;
  m_lex.sql_command = SQLCOM_SELECT;
}

Nested_open::~Nested_open() {
  m_lex.cleanup(true);
  lex_end(&m_lex);
  m_thd->free_items();
  // Needs the private LEX and the metadata lock still in place.
  close_thread_tables(m_thd);
  m_thd->lex = m_outer_lex;
  m_thd->stmt_arena = m_outer_statement_arena;
  m_thd->swap_query_arena(m_outer_arena, &m_arena);
  m_thd->variables.lock_wait_timeout = m_lock_wait_timeout_s;
  m_thd->restore_backup_open_tables_state(&m_open_tables);
}

// Null text if memory is short, which the server's own calls then report.
LEX_CSTRING Nested_open::copy(const std::string &text) {
  LEX_CSTRING copied{nullptr, 0};
  lex_string_strmake(&m_memory, &copied, text.data(), text.size());
  return copied;
}

Table_ref *Nested_open::add_table(const std::string &schema, const std::string &table) {
  const LEX_CSTRING schema_name = copy(schema);
  const LEX_CSTRING table_name = copy(table);
  if (schema_name.str == nullptr || table_name.str == nullptr) return nullptr;
  if (make_table_list(m_thd, m_lex.query_block, schema_name, table_name)) return nullptr;
  Table_ref *table_ref = m_lex.query_block->get_table_list();
  table_ref->required_type = dd::enum_table_type::BASE_TABLE;
  return table_ref;
}

Result<void> Nested_open::open(Table_ref *table_ref) {
  // An old version of the share, left by FLUSH TABLES beside a long query, has the same definition:
  // that could only change under an exclusive lock.
  const bool failed = open_tables_for_query(m_thd, table_ref, MYSQL_OPEN_IGNORE_FLUSH);
  if (!failed && table_ref->table != nullptr) return {};
  // A killed statement leaves the diagnostics area empty.
  if (m_thd->is_killed()) m_thd->send_kill_message();
  if (!m_thd->is_error()) {
    my_error(ER_NO_SUCH_TABLE, MYF(0), table_ref->db, table_ref->table_name);
  }
  return fail(Code::reported, "table not opened");
}

}  // namespace pq
