// Opens a table in the middle of another statement, without that statement noticing.

#ifndef MYSQL_PQ_TABLE_NESTED_OPEN_H
#define MYSQL_PQ_TABLE_NESTED_OPEN_H

#include "pure/error.h"
#include "server/mysql_compat.h"

namespace pq {

// Gives the session, for its life, a state of its own for opening tables: list of open tables, LEX,
// arena, memory root and lock time-out. Its destructor closes what was opened, takes back the
// metadata locks acquired meanwhile (and only those) and restores everything, also after an error.
//
// A lock taken inside is therefore gone after the call (docs/decisions/definition-fence.md).
// Whoever reads later by what was learnt here must lock the table itself and compare the definition
// (docs/protocol.md).
class Nested_open final {
 public:
  explicit Nested_open(THD *thd);
  ~Nested_open();
  Nested_open(const Nested_open &) = delete;
  Nested_open &operator=(const Nested_open &) = delete;

  // Names the table in the private LEX. Null if that failed, with the error reported.
  [[nodiscard]] Table_ref *add_table(const std::string &schema, const std::string &table);

  // Acquires MDL_SHARED_READ, waiting at most mysql_pq_lock_wait_timeout, and opens the base table.
  // On failure the error is reported.
  [[nodiscard]] Result<void> open(Table_ref *table_ref);

 private:
  [[nodiscard]] LEX_CSTRING copy(const std::string &text);

  THD *m_thd;
  Open_tables_backup m_open_tables;
  ulong m_lock_wait_timeout_s;
  MEM_ROOT m_memory;
  Query_arena m_arena;
  Query_arena m_outer_arena;
  Query_arena *m_outer_statement_arena;
  LEX m_lex;
  LEX *m_outer_lex;
};

}  // namespace pq

#endif
