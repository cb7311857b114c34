#include "table/table_locks.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "server/instruments.h"
#include "server/lock_owner.h"
#include "server/mysql_compat.h"
#include "server/settings.h"

namespace pq {

namespace {

using Clock = std::chrono::steady_clock;

std::unexpected<Error> no_memory() { return fail(Code::out_of_memory, {}); }

bool is_readable_table(const MDL_ticket *ticket) {
  return ticket->get_key()->mdl_namespace() == MDL_key::TABLE &&
         ticket->has_stronger_or_equal_type(MDL_SHARED_READ);
}

Locked_name name_of(const MDL_key *key) {
  return {{key->db_name(), key->db_name_length()}, {key->name(), key->name_length()}};
}

// Null if memory is short. To be called by the thread that `context` belongs to, or under the mutex
// that guards it; and the ticket must not go away meanwhile.
MDL_ticket *clone(MDL_context &context, MDL_ticket *ticket, enum_mdl_duration duration) {
  MDL_request request;
  request.init_by_key_with_source(ticket->get_key(), MDL_SHARED_READ, duration,
                                  instruments::source_name(), 0);
  request.ticket = ticket;
  return context.clone_ticket(&request) ? nullptr : request.ticket;
}

// Whether somebody waits until all statements have closed the table, as FLUSH TABLES does.
bool is_flush_waited_for(const Locked_name &name) {
  mysql_mutex_lock(&LOCK_open);
  const TABLE_SHARE *share = get_cached_table_share(name.schema.c_str(), name.table.c_str());
  const bool waited_for = share != nullptr && !share->m_flush_tickets.is_empty();
  mysql_mutex_unlock(&LOCK_open);
  return waited_for;
}

// Whether a statement of one of the sessions has the table open. Takes the mutexes of all table
// caches, as the detection of deadlocks does for a session that waits for a flush.
bool is_open(const Locked_name &name, const std::function<bool(std::uint64_t)> &is_own) {
  bool open = false;
  table_cache_manager.lock_all_and_tdc();
  if (const TABLE_SHARE *share = get_cached_table_share(name.schema.c_str(), name.table.c_str())) {
    Table_cache_iterator tables(share);
    while (const TABLE *table = tables++) open |= is_own(table->in_use->thread_id());
  }
  table_cache_manager.unlock_all_and_tdc();
  return open;
}

// A lock of the table that the calling session holds for that duration, or null.
MDL_ticket *own_ticket(THD *holder, const Locked_name &name, enum_mdl_duration duration) {
  auto tickets = holder->mdl_context.m_ticket_store.list_iterator(duration);
  while (MDL_ticket *ticket = tickets++) {
    if (ticket->get_key()->mdl_namespace() == MDL_key::TABLE &&
        name_of(ticket->get_key()) == name) {
      return ticket;
    }
  }
  return nullptr;
}

}  // namespace

Locked_name locked_name(const Target &target) {
  Locked_name name{target.schema, target.table};
  if (lower_case_table_names != 0) {
    // Some small letters take fewer bytes.
    my_casedn_str(files_charset_info, name.schema.data());
    my_casedn_str(files_charset_info, name.table.data());
    name.schema.resize(std::strlen(name.schema.c_str()));
    name.table.resize(std::strlen(name.table.c_str()));
  }
  return name;
}

// A context of MDL's that no thread runs, as MDL_context_backup_manager has them. It never waits,
// so its tickets change no state that MDL keeps by thread.
class Table_locks::Context final : public Lock_owner {
 public:
  struct Held {
    MDL_ticket *ticket;
    std::optional<Clock::time_point> waited_since;
  };

  Context() { m_mdl.init(this); }

  ~Context() override {
    release_unless([](const Locked_name &) { return false; });
    m_mdl.destroy();
  }

  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  std::mutex &mutex() { return m_mutex; }
  MDL_context &mdl() { return m_mdl; }
  std::unordered_map<Locked_name, Held, Locked_name::Hash> &held() { return m_held; }
  Clock::time_point &last_look() { return m_last_look; }

  Held *find(const Locked_name &name) {
    const auto found = m_held.find(name);
    return found == m_held.end() ? nullptr : &found->second;
  }

  // The holder's ticket stays while this runs: it is the holder's own thread.
  Result<void> hold(MDL_ticket *ticket) {
    Locked_name name = name_of(ticket->get_key());
    if (find(name) != nullptr) return {};
    if (m_held.size() >= most_tables) {
      return fail(Code::bad_snapshot, "a snapshot holds at most " + std::to_string(most_tables) +
                                          " tables: lock fewer in one transaction");
    }
    const auto place = m_held.emplace(std::move(name), Held{nullptr, std::nullopt}).first;
    place->second.ticket = clone(m_mdl, ticket, MDL_EXPLICIT);
    if (place->second.ticket != nullptr) return {};
    m_held.erase(place);
    return no_memory();
  }

  template <class Needed>
  void release_unless(const Needed &is_needed) noexcept {
    std::erase_if(m_held, [&](const auto &held) {
      if (is_needed(held.first)) return false;
      m_mdl.release_lock(held.second.ticket);
      return true;
    });
  }

 private:
  std::mutex m_mutex;
  MDL_context m_mdl;
  std::unordered_map<Locked_name, Held, Locked_name::Hash> m_held;
  Clock::time_point m_last_look = Clock::now();
};

Table_locks::Table_locks() : m_context(std::make_unique<Context>()) {}

Table_locks::~Table_locks() = default;

Result<void> Table_locks::take_from(THD *holder) {
  const std::lock_guard guard(m_context->mutex());
  auto tickets = holder->mdl_context.m_ticket_store.list_iterator(MDL_TRANSACTION);
  while (MDL_ticket *ticket = tickets++) {
    if (!is_readable_table(ticket)) continue;
    if (auto held = m_context->hold(ticket); !held) return held;
  }
  return {};
}

Result<void> Table_locks::take_from(THD *holder, const Locked_name &name) {
  const std::lock_guard guard(m_context->mutex());
  auto tickets = holder->mdl_context.m_ticket_store.list_iterator(MDL_TRANSACTION);
  while (MDL_ticket *ticket = tickets++) {
    if (is_readable_table(ticket) && name_of(ticket->get_key()) == name) {
      return m_context->hold(ticket);
    }
  }
  return {};
}

bool Table_locks::holds(const Locked_name &name) const {
  const std::lock_guard guard(m_context->mutex());
  return m_context->find(name) != nullptr;
}

bool Table_locks::take_over(THD *holder, const Locked_name &name) {
  const std::lock_guard guard(m_context->mutex());
  if (m_context->find(name) == nullptr || holder->get_transaction()->m_savepoints != nullptr ||
      own_ticket(holder, name, MDL_EXPLICIT) != nullptr) {
    return false;
  }
  while (MDL_ticket *ticket = own_ticket(holder, name, MDL_TRANSACTION)) {
    // Those of a transaction are not released one by one.
    holder->mdl_context.set_lock_duration(ticket, MDL_EXPLICIT);
    holder->mdl_context.release_lock(ticket);
  }
  return true;
}

Result<bool> Table_locks::lend(THD *borrower, const Locked_name &name) {
  const std::lock_guard guard(m_context->mutex());
  const Context::Held *held = m_context->find(name);
  if (held == nullptr) return false;
  if (borrower->mdl_context.owns_equal_or_stronger_lock(held->ticket->get_key(), MDL_SHARED_READ)) {
    return true;
  }
  if (clone(borrower->mdl_context, held->ticket, MDL_TRANSACTION) == nullptr) return no_memory();
  return true;
}

void Table_locks::release_unless(
    const std::function<bool(const Locked_name &)> &is_needed) noexcept {
  const std::lock_guard guard(m_context->mutex());
  m_context->release_unless(is_needed);
}

void Table_locks::release() noexcept {
  release_unless([](const Locked_name &) { return false; });
}

std::optional<Table_locks::Wait> Table_locks::look(
    const std::function<bool(std::uint64_t)> &is_own) {
  const std::lock_guard guard(m_context->mutex());
  const Clock::time_point before = std::exchange(m_context->last_look(), Clock::now());
  std::optional<Wait> longest;
  for (auto &[name, held] : m_context->held()) {
    if (!held.ticket->has_pending_conflicting_lock() &&
        !(is_flush_waited_for(name) && is_open(name, is_own))) {
      held.waited_since.reset();
      continue;
    }
    if (!held.waited_since) {
      held.waited_since = before;
      ++counters.lock_waits;
    }
    const auto lasted = std::chrono::duration_cast<std::chrono::milliseconds>(
        m_context->last_look() - *held.waited_since);
    if (!longest || lasted > longest->lasted) longest = Wait{name, lasted};
  }
  return longest;
}

std::vector<Locked_name> locked_tables(THD *thd) {
  std::vector<Locked_name> names;
  for (const auto duration : {MDL_TRANSACTION, MDL_EXPLICIT}) {
    auto tickets = thd->mdl_context.m_ticket_store.list_iterator(duration);
    while (MDL_ticket *ticket = tickets++) {
      if (is_readable_table(ticket)) names.push_back(name_of(ticket->get_key()));
    }
  }
  return names;
}

class Locks_since::Savepoint final {
 public:
  explicit Savepoint(THD *thd) : m_place(thd->mdl_context.mdl_savepoint()) {}

  [[nodiscard]] const MDL_savepoint &place() const { return m_place; }

 private:
  MDL_savepoint m_place;
};

Locks_since::Locks_since(THD *thd) : m_thd(thd), m_savepoint(std::make_unique<Savepoint>(thd)) {}

Locks_since::~Locks_since() {
  if (!m_kept) m_thd->mdl_context.rollback_to_savepoint(m_savepoint->place());
}

Result<void> wait_for_lock(THD *thd, const Locked_name &name) {
  MDL_request request;
  request.init_with_source(MDL_key::TABLE, name.schema.c_str(), name.table.c_str(), MDL_SHARED_READ,
                           MDL_TRANSACTION, instruments::source_name(), 0);
  const auto timeout_s =
      std::min<unsigned long>(thd->variables.lock_wait_timeout, settings::lock_wait_timeout_s());
  if (thd->mdl_context.acquire_lock(&request, timeout_s)) {
    return fail(Code::reported, "table not locked");
  }
  return {};
}

}  // namespace pq
