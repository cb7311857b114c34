// The one way by which every function and table of the extension reaches a table.
//
// The room `table` takes the names of a table and an index and gives a lease: the table is locked
// against DDL, open and fit to be read, and the user may read it. It must not know what is read
// then.

#ifndef MYSQL_PQ_TABLE_TABLE_LEASE_H
#define MYSQL_PQ_TABLE_TABLE_LEASE_H

#include <memory>
#include <optional>
#include <vector>

#include "pure/error.h"
#include "pure/request.h"
#include "table/nested_open.h"
#include "tree/key_description.h"
#include "tree/tree.h"

namespace pq {

// Fails with bad_context unless the session's transaction itself has the table locked against DDL.
// To be asked before a lease, which takes a lock of its own.
[[nodiscard]] Result<void> check_locked(THD *thd, const Target &target);

// Fails with `reported` unless the user may read some column of the table. As in SQL, the error
// does not say whether there is such a table. Takes no lock.
[[nodiscard]] Result<void> check_access(THD *thd, const Target &target);

// An InnoDB base table held by metadata lock (MDL_SHARED_READ) and open handler, and one of its
// indexes. What it gives is valid while it lives.
class Table_lease final {
 public:
  // Checks in this order: statement context, access to the table, lock, engine, index, access to
  // each key column, partition, usability. The first rule that is broken is the error. Reads no
  // page.
  [[nodiscard]] static Result<std::unique_ptr<Table_lease>> take(THD *thd, const Target &target);

  // Takes a table as a whole, without key and trees. Checks context, access, lock and engine.
  [[nodiscard]] static Result<std::unique_ptr<Table_lease>> take_table(THD *thd,
                                                                       const Target &target);

  [[nodiscard]] TABLE *table() const { return m_table_ref->table; }
  // Lists those of all partitions, whichever the target names.
  [[nodiscard]] Result<std::vector<Tree>> trees() const { return list_trees(table(), m_index); }
  [[nodiscard]] const std::vector<Key_part> &parts() const { return m_parts; }

  // Null if the table is partitioned and the target names no partition.
  [[nodiscard]] const Tree *tree() const { return m_tree ? &*m_tree : nullptr; }

  // Fails with `reported` unless the user may read the column. The error does not say whether there
  // is such a column to those who may not read the whole table.
  [[nodiscard]] Result<void> check_column(const char *name) const;

  // False if the user may read some columns only: sizes of the table are then secret.
  [[nodiscard]] bool may_read_whole_table() const;

  // Fails with `reported` in that case.
  [[nodiscard]] Result<void> check_whole_table() const;

 private:
  explicit Table_lease(THD *thd) : m_thd(thd), m_open(thd) {}

  [[nodiscard]] Result<void> open(const Target &target);
  [[nodiscard]] Result<void> find_index(const std::string &name);
  [[nodiscard]] Result<void> check_key_columns() const;
  [[nodiscard]] Result<void> choose_tree(const Target &target);
  [[nodiscard]] Result<void> check_trees() const;

  THD *m_thd;
  Nested_open m_open;
  Table_ref *m_table_ref = nullptr;
  const char *m_index = nullptr;  // InnoDB's name of it
  std::optional<Tree> m_tree;
  bool m_is_by_row_id = false;
  std::vector<Key_part> m_parts;
};

}  // namespace pq

#endif
