// One B+tree: an index of a table, or of one of its partitions, that is safe to walk.
//
// The room `tree` takes an index of an open table and gives keys: what they mean in SQL's terms,
// and those that separate subtrees. It reads the levels above the leaves under latches. It must not
// know who keeps the table from DDL, what a row holds beside its key, and who sees the row.

#ifndef MYSQL_PQ_TREE_TREE_H
#define MYSQL_PQ_TREE_TREE_H

#include <string>
#include <vector>

#include "pure/error.h"
#include "server/innodb_compat.h"

namespace pq {

struct Tree {
  dict_table_t *table;
  dict_index_t *index;
};

// Whether the tree holds rows by the ids that InnoDB gives them, in a table without any key that
// could be its primary one.
[[nodiscard]] bool is_by_row_id(const Tree &tree);

// Lists the trees of all partitions in order, or the one tree of a table that has none. Needs a
// metadata lock on the table and an InnoDB handler. Touches no page: a tree may still be unfit for
// a walk.
[[nodiscard]] Result<std::vector<Tree>> list_trees(TABLE *table, const char *index);

// The tree at this position among them, whose list is not made.
[[nodiscard]] Result<Tree> find_tree(TABLE *table, const char *index, std::size_t position);

// Fails with unusable_table, or the server's own error, if walking the tree would abort the server
// or mislead the session: discarded, missing or corrupted, no root page, index not committed, or
// newer than the session's read view.
[[nodiscard]] Result<void> check_usable(THD *thd, const Tree &tree);

// Position of the named (sub)partition among the trees. On failure the server's error is reported
// or bad_argument returned.
[[nodiscard]] Result<std::size_t> find_partition(TABLE *table, const std::string &name);

// Names of all (sub)partitions in the order of their trees; none if the table is not partitioned.
[[nodiscard]] std::vector<std::string> list_partitions(TABLE *table);

}  // namespace pq

#endif
