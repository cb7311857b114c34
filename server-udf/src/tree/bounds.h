// Turns the bounds of a request into keys that InnoDB compares.

#ifndef MYSQL_PQ_TREE_BOUNDS_H
#define MYSQL_PQ_TREE_BOUNDS_H

#include <memory>
#include <string_view>
#include <vector>

#include "pure/error.h"
#include "pure/request.h"
#include "tree/key_description.h"
#include "tree/saved_key.h"

namespace pq {

// Makes InnoDB's key of a bound; null if there is none. Fails with bad_argument unless each value
// fits its column. InnoDB thus compares only bytes that were encoded here, of the exact length that
// the type has.
[[nodiscard]] Result<std::unique_ptr<Saved_key>> make_bound(
    const Tree &tree, const std::vector<Key_part> &parts,
    const std::vector<Written_value> &written);

// The same of a whole key, as a row has it. Fails with bad_argument if it holds fewer columns;
// `name` is what the key was given as.
[[nodiscard]] Result<std::unique_ptr<Saved_key>> make_key_of_row(
    const Tree &tree, const std::vector<Key_part> &parts, const std::vector<Written_value> &written,
    std::string_view name);

}  // namespace pq

#endif
