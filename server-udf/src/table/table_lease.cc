#include "table/table_lease.h"

#include <cstring>

#include "pure/utf8.h"
#include "server/latch_check.h"
#include "server/statement_context.h"
#include "table/table_locks.h"

namespace pq {

namespace {

std::unexpected<Error> reported(std::string message) {
  return fail(Code::reported, std::move(message));
}

// FULLTEXT, SPATIAL and multi-valued indexes have no order that a range could follow; the hidden
// column of a functional one cannot stand in a predicate.
bool has_ranges(const KEY &key) {
  if ((key.flags & (HA_FULLTEXT | HA_SPATIAL | HA_MULTI_VALUED_KEY)) != 0) return false;
  for (uint i = 0; i < key.user_defined_key_parts; ++i) {
    if (key.key_part[i].field->is_hidden_by_system()) return false;
  }
  return true;
}

bool is_named(const char *index, const std::string &name) {
  return my_strcasecmp(system_charset_info, index, name.c_str()) == 0;
}

// Passes if any one column is granted: check_column() does the rest.
Result<void> check_any_column(THD *thd, Table_ref *table) {
  if (check_table_access(thd, SELECT_ACL, table, false, 1, false)) return reported("no access");
  return {};
}

}  // namespace

Result<void> check_access(THD *thd, const Target &target) {
  if (auto fit = check_statement_context(thd); !fit) return fit;
  Nested_open open(thd);
  Table_ref *table = open.add_table(target.schema, target.table);
  if (table == nullptr) return reported("table not added");
  return check_any_column(thd, table);
}

Result<void> check_locked(THD *thd, const Target &target) {
  const Locked_name name = locked_name(target);
  if (thd->mdl_context.owns_equal_or_stronger_lock(MDL_key::TABLE, name.schema.c_str(),
                                                   name.table.c_str(), MDL_SHARED_READ)) {
    return {};
  }
  return fail(
      Code::bad_context,
      "the session must have the table locked: SELECT from it first, in the same transaction");
}

Result<std::unique_ptr<Table_lease>> Table_lease::take_table(THD *thd, const Target &target) {
  Latches::assert_none();
  if (auto fit = check_statement_context(thd); !fit) return std::unexpected(fit.error());
  if (auto running = check_interrupted(thd); !running) return std::unexpected(running.error());
  std::unique_ptr<Table_lease> lease(new Table_lease(thd));
  auto taken = lease->open(target);
  if (taken) taken = check_interrupted(thd);  // the lock may have been long in coming
  if (!taken) return std::unexpected(taken.error());
  return lease;
}

Result<std::unique_ptr<Table_lease>> Table_lease::take(THD *thd, const Target &target) {
  auto lease = take_table(thd, target);
  if (!lease) return lease;
  auto taken = (*lease)->find_index(target.index);
  if (taken) taken = (*lease)->choose_tree(target);
  if (taken) taken = (*lease)->check_key_columns();
  if (taken) taken = (*lease)->check_trees();
  if (!taken) return std::unexpected(taken.error());
  return lease;
}

bool Table_lease::may_read_whole_table() const {
  return (m_table_ref->grant.privilege & SELECT_ACL) != 0;
}

Result<void> Table_lease::open(const Target &target) {
  m_table_ref = m_open.add_table(target.schema, target.table);
  if (m_table_ref == nullptr) return reported("table not added");
  if (auto allowed = check_any_column(m_thd, m_table_ref); !allowed) return allowed;
  if (m_table_ref->schema_table != nullptr) {
    my_error(ER_WRONG_OBJECT, MYF(0), m_table_ref->db, m_table_ref->table_name, "BASE TABLE");
    return reported("a table of INFORMATION_SCHEMA");
  }
  if (auto opened = m_open.open(m_table_ref); !opened) return opened;
  if (table()->file->ht->db_type != DB_TYPE_INNODB) {
    my_error(ER_CHECK_NOT_IMPLEMENTED, MYF(0), "mysql_pq");
    return reported("not InnoDB");
  }
  return {};
}

Result<void> Table_lease::find_index(const std::string &name) {
  if (is_named(innobase_index_reserve_name, name) && table()->s->primary_key == MAX_KEY) {
    m_index = innobase_index_reserve_name;
    return {};
  }
  for (uint i = 0; i < table()->s->keys; ++i) {
    const KEY &key = table()->key_info[i];
    if (!is_named(key.name, name)) continue;
    if (has_ranges(key)) m_index = key.name;
    break;
  }
  if (m_index != nullptr) return {};
  my_error(ER_KEY_DOES_NOT_EXITS, MYF(0), name.c_str(), m_table_ref->table_name);
  return reported("no such index");
}

// All partitions have the same key.
Result<void> Table_lease::choose_tree(const Target &target) {
  std::size_t position = 0;
  if (target.partition) {
    const auto found = find_partition(table(), *target.partition);
    if (!found) return std::unexpected(found.error());
    position = *found;
  }
  const auto tree = find_tree(table(), m_index, position);
  if (!tree) return std::unexpected(tree.error());
  m_parts = describe_key(table(), *tree);
  m_is_by_row_id = is_by_row_id(*tree);
  if (target.partition || table()->part_info == nullptr) m_tree = *tree;
  return {};
}

Result<void> Table_lease::check_column(const char *name) const {
  if (may_read_whole_table()) return {};
  if (check_grant_column(m_thd, &m_table_ref->grant, m_table_ref->db, m_table_ref->table_name, name,
                         std::strlen(name), m_thd->security_context(), SELECT_ACL)) {
    return reported("no access to a column");
  }
  return {};
}

// Boundaries are data: the user must be allowed to read each column of the key, through roles too.
Result<void> Table_lease::check_key_columns() const {
  if (m_is_by_row_id) return check_whole_table();
  for (const Key_part &part : m_parts) {
    if (auto allowed = check_column(part.column.name.c_str()); !allowed) return allowed;
    // Only the SQL layer's own items apply a policy.
    if (part.field == nullptr || !has_masking_policy(part.field)) continue;
    return fail(Code::unsupported_key,
                "column '" + printable(part.column.name) + "' has a masking policy");
  }
  return {};
}

// A row id is of no column that could be granted.
Result<void> Table_lease::check_whole_table() const {
  if (may_read_whole_table()) return {};
  const Security_context *user = m_thd->security_context();
  my_error(ER_TABLEACCESS_DENIED_ERROR, MYF(0), "SELECT", user->priv_user().str,
           user->host_or_ip().str, m_table_ref->table_name);
  return reported("no access to the whole table");
}

Result<void> Table_lease::check_trees() const {
  if (m_tree) return check_usable(m_thd, *m_tree);
  const auto all = trees();
  if (!all) return std::unexpected(all.error());
  for (const Tree &tree : *all) {
    if (auto usable = check_usable(m_thd, tree); !usable) return usable;
  }
  return {};
}

}  // namespace pq
