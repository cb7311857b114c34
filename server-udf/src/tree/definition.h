// Names the version of a table and index that a plan was made for
// (docs/decisions/definition-fence.md).

#ifndef MYSQL_PQ_TREE_DEFINITION_H
#define MYSQL_PQ_TREE_DEFINITION_H

#include <string>
#include <vector>

#include "tree/tree.h"

namespace pq {

// A digest of all partitions' table and index ids, instant versions and column definitions. DDL
// that replaces rows or redefines columns changes it; DML, ANALYZE, FLUSH TABLES and a restart do
// not. Needs a metadata lock on the table. Reads no page.
[[nodiscard]] std::string describe_definition(TABLE *table, const std::vector<Tree> &trees);

}  // namespace pq

#endif
