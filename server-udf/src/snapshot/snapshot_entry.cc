#include "snapshot/snapshot_entry.h"

#include <algorithm>
#include <utility>

#include "pure/utf8.h"
#include "server/settings.h"

namespace pq {

namespace {

// Enough for a client to ask why its statement was interrupted.
constexpr std::chrono::milliseconds short_grace{250};

// Sessions are interrupted this long before DDL has waited as long as it may. They can then ask why
// before their connections are closed, and all connections are closed in time.
std::chrono::milliseconds grace_of_ddl() {
  return std::min(settings::ddl_wait_limit() / 4, short_grace);
}

// Nobody who switches the extension off wants to wait for its clients.
std::chrono::milliseconds grace_of_limit() {
  const std::chrono::milliseconds grace = settings::snapshot_grace();
  return settings::enabled() ? grace : std::min(grace, short_grace);
}

std::string printable_name(const Locked_name &name) {
  return printable(name.schema) + "." + printable(name.table);
}

}  // namespace

std::chrono::milliseconds Snapshot_entry::age() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
}

bool Snapshot_entry::is_offered() const { return is_running(donor.transaction); }

std::size_t Snapshot_entry::count_readers() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(adopters, [](const auto &adopter) { return !adopter.second.left; }));
}

// Nobody reads in it any more, or keeps what it has lent.
bool Snapshot_entry::is_over() const { return !is_offered() && adopters.empty(); }

std::unexpected<Error> Snapshot_entry::expiry() const {
  return fail(gave_way ? Code::gave_way : Code::snapshot_expired, why_expired);
}

Snapshot_summary Snapshot_entry::summary() const {
  return {.owner = owner,
          .donor_id = is_offered() ? std::optional(donor.session) : std::nullopt,
          .expired = !why_expired.empty(),
          .age = age(),
          .readers = count_readers(),
          .adoptions = adoptions,
          .history = view == nullptr ? 0 : pinned_history(view->content)};
}

bool Snapshot_entry::has_session(std::uint64_t session) const {
  return adopters.contains(session) || (donor.session == session && is_offered());
}

bool Snapshot_entry::is_adopter(const Session_transaction &reader) const {
  const auto found = adopters.find(reader.session);
  return found != adopters.end() && found->second.transaction == reader.transaction;
}

bool Snapshot_entry::reads_in(const Session_transaction &reader) const {
  return is_adopter(reader) && !adopters.at(reader.session).left;
}

// An adopter that named no tables may have locked any by itself.
bool Snapshot_entry::is_read(const Locked_name &name) const {
  return std::ranges::any_of(adopters, [&](const auto &adopter) {
    const auto &tables = adopter.second.tables;
    return !tables || tables->contains(name);
  });
}

// Whether the table was read as often as was expected.
bool Snapshot_entry::is_read_to_end(const Locked_name &name) const {
  const auto found = reads.find(name);
  if (found == reads.end()) return false;
  const Table_reads &table = found->second;
  return table.expected && table.proved >= *table.expected;
}

// A table that nobody named may be behind a view, and its name a secret.
bool Snapshot_entry::is_named(const Locked_name &name) const {
  const auto found = reads.find(name);
  return found != reads.end() && found->second.named;
}

// A snapshot holds its tables as long as its donor's transaction runs, but for those that were read
// to their end. It holds those that may still be read in any case, so that it is seen who waits for
// them.
void Snapshot_entry::release_unread_tables() {
  const bool is_alive = is_offered();
  locks->release_unless([&](const Locked_name &name) {
    if ((is_alive && !is_read_to_end(name)) || is_read(name)) return true;
    reads.erase(name);
    return false;
  });
}

// Nothing is kept of tables that the snapshot does not hold, whose number nothing limits.
void Snapshot_entry::count_proof(Adopter &adopter) {
  if (adopter.proved || !adopter.tables) return;
  adopter.proved = true;
  for (const Locked_name &name : *adopter.tables) {
    if (locks->holds(name)) ++reads[name].proved;
  }
}

// What has once expired stays so.
bool Snapshot_entry::expire(std::string why) {
  if (why.empty()) return false;
  why_expired = std::move(why);
  expired_at = Clock::now();
  ++counters.snapshots_expired;
  return true;
}

bool Snapshot_entry::has_expired() {
  if (!why_expired.empty()) return true;
  if (!is_offered() && count_readers() == 0) return false;
  if (!settings::enabled()) return expire("mysql_pq_enabled was set to OFF");
  return expire(passed_limit({age(), pinned_history(view->content)}, settings::snapshot_limits()));
}

// Nothing that is read in a snapshot that has expired counts, so its sessions end at once when
// somebody waits. Otherwise that a table is waited for is noticed up to two intervals late, and
// acted upon one later.
void Snapshot_entry::look_who_waits() {
  const auto wait = locks->look([&](std::uint64_t session) { return has_session(session); });
  if (!wait) return;
  if (!why_expired.empty()) {
    is_waited_for = true;
    locks->release();
    return;
  }
  const auto limit = settings::ddl_wait_limit();
  if (wait->lasted < limit - grace_of_ddl() - 2 * snapshots::look_interval) return;
  const std::string name = printable_name(wait->name);
  const bool is_told = is_named(wait->name);
  if (!is_told) secret_wait = name;
  gave_way =
      expire("DDL, LOCK TABLES or FLUSH TABLES waits for " +
             (is_told ? "table " + name : "a table that the snapshot holds") +
             ", and mysql_pq_ddl_wait_limit = " + std::to_string(limit.count()) + " milliseconds");
  locks->release();
  ++counters.snapshots_gave_way;
}

std::chrono::milliseconds Snapshot_entry::grace() const {
  if (gave_way) return grace_of_ddl();
  return is_waited_for ? std::chrono::milliseconds(0) : grace_of_limit();
}

// Whoever has left holds back no history, but tables.
Expired_snapshot Snapshot_entry::expired_now() {
  const bool for_tables = gave_way || is_waited_for;
  Expired_snapshot expired{owner,
                           donor.session,
                           why_expired,
                           secret_wait,
                           {},
                           !interrupted,
                           Clock::now() - expired_at >= grace()};
  if (is_offered()) expired.sessions.push_back(donor);
  for (const auto &[session, adopter] : adopters) {
    if (adopter.left && !for_tables) continue;
    expired.sessions.push_back({session, adopter.transaction});
  }
  interrupted = true;
  return expired;
}

// What the donor has locked again the snapshot keeps too, so that it is seen who waits for it.
void Snapshot_entry::keep_what_is_locked_again(THD *donor_session) {
  for (const Locked_name &name : locked_tables(donor_session)) {
    if (const auto found = reads.find(name); found != reads.end()) {
      found->second.expected.reset();
    }
  }
}

// DDL may have changed a table that was given up. Who names it in adopt learns that there; who
// locks it by a statement, as by one that reads a view, does not.
Result<void> Snapshot_entry::check_given_up(THD *thd,
                                            const std::optional<Locked_names> &named) const {
  if (told.empty()) return {};
  const auto is_unsure = [&](const Locked_name &name) {
    return told.contains(name) && !locks->holds(name) && !(named && named->contains(name));
  };
  if (std::ranges::none_of(locked_tables(thd), is_unsure)) return {};
  return fail(Code::bad_snapshot,
              "the session read a table that the snapshot had given up: name all tables in "
              "mysql_pq_snapshot_adopt, and no tables of a view in mysql_pq_snapshot_expect");
}

}  // namespace pq
