// Turns the bounds of a request into keys that InnoDB compares.

#ifndef MYSQL_PQ_TREE_BOUNDS_H
#define MYSQL_PQ_TREE_BOUNDS_H

#include <memory>
#include <vector>

#include "pure/error.h"
#include "pure/request.h"
#include "tree/key_description.h"
#include "tree/saved_key.h"

namespace pq {

// Null if there is no bound. Fails with bad_argument unless each value fits its column: only bytes
// encoded here, of the exact length the type has, ever meet InnoDB's comparison.
[[nodiscard]] Result<std::unique_ptr<Saved_key>> make_bound(
    const Tree &tree, const std::vector<Key_part> &parts,
    const std::vector<Written_value> &written);

}  // namespace pq

#endif
