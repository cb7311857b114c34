// Registers the SQL functions with the server.
//
// The room `edge` is what the server calls: SQL functions, tables of INFORMATION_SCHEMA, and the
// plugin's life. It takes arguments and gives a reply or the statement's error; no exception leaves
// it. It must not know trees, pages and latches.

#ifndef MYSQL_PQ_EDGE_FUNCTIONS_H
#define MYSQL_PQ_EDGE_FUNCTIONS_H

#include <string>
#include <vector>

namespace pq::functions {

// Registers all functions. If one fails, registers none and returns its name. A function that an
// earlier load of the library had to leave registered is replaced.
[[nodiscard]] std::string register_all();

// Whether a statement uses one of the functions now. Soon after, the answer may be another one.
[[nodiscard]] bool any_in_use();

// Unregisters all functions but those that a statement still uses after two seconds. Returns
// whether no statement used one.
// A function that is not registered counts as unregistered.
[[nodiscard]] bool unregister_all();

[[nodiscard]] std::vector<std::string> names();

}  // namespace pq::functions

#endif
