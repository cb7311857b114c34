// Proves that this build and the running server agree on class layouts.

#ifndef MYSQL_PQ_CANARY_H
#define MYSQL_PQ_CANARY_H

#include <string>

class THD;

namespace pq::canary {

// Each compares members read by this library's layouts with what the server's own exported functions or
// well-known contents say. Returns what disagrees, or nothing.

// InnoDB's dictionary.
[[nodiscard]] std::string check_dictionary();

// The session and its transaction object. Cheap after it has once agreed, so that each call can ask:
// while the server starts there is no session to look at.
[[nodiscard]] std::string check_session(THD *thd);

}  // namespace pq::canary

#endif
