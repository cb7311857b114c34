// Describes the physical key of an index in terms of SQL columns.

#ifndef MYSQL_PQ_TREE_KEY_DESCRIPTION_H
#define MYSQL_PQ_TREE_KEY_DESCRIPTION_H

#include <vector>

#include "pure/error.h"
#include "pure/key_codec.h"
#include "tree/tree.h"

namespace pq {

// A part of the physical key: its description and its column.
struct Key_part {
  Key_column column;
  Field *field;  // null of a row id
};

// Whether the tree is a secondary one whose last key field is the row id that InnoDB generates for
// a table without any key that could be its primary one. SQL cannot name it, so distinct entries of
// such a tree may be alike (docs/decisions/row-ids.md).
[[nodiscard]] bool ends_with_row_id(const Tree &tree);

// The parts in order: the index's own columns, then those of the clustered index that a secondary
// one carries, but no generated row id. A tree by row ids has the row id as its only part. A part
// whose type has no encoding is of kind `unsupported`.
[[nodiscard]] std::vector<Key_part> describe_key(TABLE *table, const Tree &tree);

// A column by itself, as InnoDB stores it: its first bytes, or all of it if that is 0. Its kind is
// `unsupported` if the field is null.
[[nodiscard]] Key_part describe_column(const dict_col_t *col, ulint prefix_bytes, Field *field);

// The column's name, also if it is virtual.
[[nodiscard]] const char *column_name(const Tree &tree, const dict_col_t *col);

// Null if the table has no column of the name.
[[nodiscard]] Field *find_field(TABLE *table, const char *name);

// Fails with unsupported_key if a part has no encoding.
[[nodiscard]] Result<void> check_supported(const std::vector<Key_part> &parts);

}  // namespace pq

#endif
