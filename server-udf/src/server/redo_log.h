// Knows whether each change of a page is in the redo log, and where the log ends.

#ifndef MYSQL_PQ_SERVER_REDO_LOG_H
#define MYSQL_PQ_SERVER_REDO_LOG_H

#include <cstdint>
#include <optional>

namespace pq::redo_log {

// A number that no change of a page has yet. What is changed later gets a greater one, while the
// log is enabled.
[[nodiscard]] std::uint64_t end();

// False after ALTER INSTANCE DISABLE INNODB REDO_LOG.
[[nodiscard]] bool is_enabled();

// Names a time in which nobody can have disabled the log: while the number is the same, the log is
// as it was. Nothing if a statement may be on its way that was counted and not yet executed.
[[nodiscard]] std::optional<std::uint64_t> quiet_since();

// Finds out whether such a statement may be on its way, by the texts of all sessions' statements.
// To be called now and then, with no lock held, by a thread that has no session. Throws bad_alloc.
void look();

}  // namespace pq::redo_log

#endif
