// Keeps tables from DDL as long as a snapshot is read, and lends their metadata locks to its
// readers (docs/decisions/ddl.md).

#ifndef MYSQL_PQ_TABLE_TABLE_LOCKS_H
#define MYSQL_PQ_TABLE_TABLE_LOCKS_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pure/error.h"
#include "pure/request.h"

class THD;

namespace pq {

// A table by the names that its metadata lock has.
struct Locked_name {
  std::string schema;
  std::string table;

  bool operator==(const Locked_name &) const = default;

  struct Hash {
    std::size_t operator()(const Locked_name &name) const noexcept {
      const std::hash<std::string> hash;
      return 31 * hash(name.schema) + hash(name.table);
    }
  };
};

// The dictionary's spelling of the names.
[[nodiscard]] Locked_name locked_name(const Target &target);

// Metadata locks (MDL_SHARED_READ) that belong to no session, as those of a prepared XA transaction
// whose client has gone. All are copies of a lock that a session holds meanwhile, and are made by
// MDL_context::clone_ticket: nothing is ever waited for here, and no lock is granted that the rules
// of metadata locks would not grant.
//
// Any thread may call anything. Each call takes a mutex of this object, and under it locks of MDL's
// own for as long as it takes to write a list entry; `look` takes LOCK_open likewise, and those of
// the table caches while a flush waits.
class Table_locks final {
 public:
  Table_locks();
  ~Table_locks();
  Table_locks(const Table_locks &) = delete;
  Table_locks &operator=(const Table_locks &) = delete;

  // The watch looks at each table that is held, so there is a limit.
  static constexpr std::size_t most_tables = 1024;

  // Copies the locks of all tables that the calling session's transaction may read, or of one of
  // them. Those that are held already are passed over. out_of_memory; bad_snapshot beyond
  // most_tables.
  [[nodiscard]] Result<void> take_from(THD *holder);
  [[nodiscard]] Result<void> take_from(THD *holder, const Locked_name &name);

  [[nodiscard]] bool holds(const Locked_name &name) const;

  // Gives up the calling session's own locks of a table that is held here. To be called while no
  // table is open. True if this object alone holds the table then. Nothing is given up while a
  // savepoint stands, which may have to find the lock again, or while the session holds the table
  // open by HANDLER.
  [[nodiscard]] bool take_over(THD *holder, const Locked_name &name);

  // Locks the table for the calling session, until its transaction ends; at once, also if others
  // wait for an exclusive lock. False if the table is not held here. out_of_memory.
  [[nodiscard]] Result<bool> lend(THD *borrower, const Locked_name &name);

  // Gives up the tables of which `is_needed` says false.
  void release_unless(const std::function<bool(const Locked_name &)> &is_needed) noexcept;
  void release() noexcept;

  // A table that these locks keep from a session that waits for it, and for how long at least some
  // session has waited. If there are several tables, the one with the longest wait.
  struct Wait {
    Locked_name name;
    std::chrono::milliseconds lasted;
  };
  // To be called often: a wait counts from the call before the one that saw it. A session that
  // waits until all statements have closed a table, as FLUSH TABLES does, counts while a session of
  // which `is_own` says true has the table open.
  [[nodiscard]] std::optional<Wait> look(const std::function<bool(std::uint64_t)> &is_own);

 private:
  class Context;

  std::unique_ptr<Context> m_context;
};

// What the calling session has locked in its transaction, or holds open by HANDLER.
[[nodiscard]] std::vector<Locked_name> locked_tables(THD *thd);

// Gives back, when it goes, what the calling session has locked in its transaction since, unless it
// is told to keep it.
class Locks_since final {
 public:
  explicit Locks_since(THD *thd);
  ~Locks_since();
  Locks_since(const Locks_since &) = delete;
  Locks_since &operator=(const Locks_since &) = delete;

  void keep() noexcept { m_kept = true; }

 private:
  class Savepoint;

  THD *m_thd;
  std::unique_ptr<Savepoint> m_savepoint;
  bool m_kept = false;
};

// Locks the table for the calling session, until its transaction ends, and waits for that as a
// statement would, but no longer than mysql_pq_lock_wait_timeout. `reported` with the server's
// error.
[[nodiscard]] Result<void> wait_for_lock(THD *thd, const Locked_name &name);

}  // namespace pq

#endif
