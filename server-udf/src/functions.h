// Registers the SQL functions with the server.

#ifndef MYSQL_PQ_FUNCTIONS_H
#define MYSQL_PQ_FUNCTIONS_H

#include <string>
#include <vector>

namespace pq::functions {

// Registers all, or none and returns the name that failed.
[[nodiscard]] std::string register_all();

// Unregisters all and returns true, or, if one is in use by a statement, leaves all registered and
// returns false. A function that is not registered counts as unregistered.
[[nodiscard]] bool unregister_all();

[[nodiscard]] std::vector<std::string> names();

}  // namespace pq::functions

#endif
