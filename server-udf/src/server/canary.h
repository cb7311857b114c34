// Proves that this build and the running server agree on class layouts.

#ifndef MYSQL_PQ_SERVER_CANARY_H
#define MYSQL_PQ_SERVER_CANARY_H

#include <string>

class THD;

namespace pq::canary {

// To be called in this order: each relies on what those before it have found to agree.
//
// Each compares members read by this library's layouts with what the server's own exported
// functions or well-known contents say. Returns what disagrees, or nothing.

// The server's version, by all that it says of it. The server itself compares three numbers of it
// only. Returns what to tell the user.
[[nodiscard]] std::string check_version();

// Sizes of some of the server's variables. Follows no pointer and calls nothing of the server.
[[nodiscard]] std::string check_sizes();

// Objects that the server constructs in memory of this library: LEX, read view, mini-transaction,
// context and request of metadata locks, and others. One that has another size in the server would
// be written beyond its end. Each is constructed by the server's own function in the midst of
// marked memory, where the marks tell what it wrote.
[[nodiscard]] std::string check_objects();

// InnoDB's dictionary, pages and latches, by a table that every server has. Probes each pointer
// that it follows itself, and then asks the server's own functions for a page and for the pool's
// entry of it.
[[nodiscard]] std::string check_storage();

// InnoDB's list of read views, which this library writes, by a view that is opened and closed for
// this. Looks at a hundred thousand views at most while it holds the trx_sys mutex.
[[nodiscard]] std::string check_views();

// The session and its transaction object, and that InnoDB's list of sessions' transactions has it.
// Cheap after it has once agreed, so that each call can ask: while the server starts there is no
// session to look at.
[[nodiscard]] std::string check_session(THD *thd);

}  // namespace pq::canary

#endif
