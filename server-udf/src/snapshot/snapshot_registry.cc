#include "snapshot/snapshot_registry.h"

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "my_rnd.h"
#include "pure/utf8.h"
#include "server/latch_check.h"
#include "server/mysql_compat.h"
#include "server/settings.h"
#include "snapshot/snapshot_coverage.h"
#include "table/table_lease.h"

namespace pq {

namespace {

using Clock = std::chrono::steady_clock;

using Names = std::unordered_set<Locked_name, Locked_name::Hash>;

// A transaction that reads in a snapshot, or has read in it: it keeps the locks that it was lent.
struct Adopter {
  Transaction transaction;
  // That it reads; none if it did not tell, and may read any of the snapshot's.
  std::optional<Names> tables;
  bool proved = false;
  bool left = false;  // for another snapshot
};

// What is known of a table that the snapshot holds.
struct Table_reads {
  bool named = false;                       // by somebody who may read it
  std::uint64_t proved = 0;                 // how often it was read to the end
  std::optional<std::uint64_t> expected{};  // how often it will be, if somebody told
};

// A snapshot and the transactions that adopted it, by session.
struct Entry {
  Snapshot_token token;
  Account owner;
  Session_transaction donor;
  Clock::time_point begun;
  std::shared_ptr<const Exported_view> view;  // none once it is over
  std::shared_ptr<Table_locks> locks;
  std::unordered_map<std::uint64_t, Adopter> adopters{};
  std::unordered_map<Locked_name, Table_reads, Locked_name::Hash> reads{};
  // Tables that the donor gave up. The snapshot holds them until they are read, and may again.
  Names told{};
  std::uint64_t adoptions = 0;
  std::string why_expired{};   // empty if it has not
  std::string secret_wait{};   // the table for which it ended, if that is not told
  bool gave_way = false;       // to a session that waited for a table
  bool is_waited_for = false;  // since it expired
  Clock::time_point expired_at{};
  bool interrupted = false;
};

// Guards the entries. Under it none of the server's mutexes is taken, but those that Table_locks
// takes.
std::mutex mutex;
std::list<Entry> entries;

class Entries_guard final {
 public:
  Entries_guard() : m_guard(mutex) { Latches::assert_none(); }

 private:
  std::lock_guard<std::mutex> m_guard;
};

Account account_of(THD *thd) {
  const Security_context *account = thd->security_context();
  return {{account->priv_user().str, account->priv_user().length},
          {account->priv_host().str, account->priv_host().length}};
}

std::chrono::milliseconds age_of(const Entry &entry) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - entry.begun);
}

bool is_offered(const Entry &entry) { return is_running(entry.donor.transaction); }

std::size_t count_readers(const Entry &entry) {
  return static_cast<std::size_t>(std::ranges::count_if(
      entry.adopters, [](const auto &adopter) { return !adopter.second.left; }));
}

// Nobody reads in it any more, or keeps what it has lent.
bool is_over(const Entry &entry) { return !is_offered(entry) && entry.adopters.empty(); }

// Sessions are interrupted by so much sooner than a wait may last. They can then ask why before
// their connections are closed, and these are closed in time.
std::chrono::milliseconds grace_of_ddl() {
  return std::min(settings::ddl_wait_limit() / 4, std::chrono::milliseconds(250));
}

std::unexpected<Error> expiry(const Entry &entry) {
  return fail(entry.gave_way ? Code::gave_way : Code::snapshot_expired, entry.why_expired);
}

// --- All from here to `expired_now` under the mutex. ---

// An adopter that named no tables may have locked any by itself.
bool is_read(const Entry &entry, const Locked_name &name) {
  return std::ranges::any_of(entry.adopters, [&](const auto &adopter) {
    const auto &tables = adopter.second.tables;
    return !tables || tables->contains(name);
  });
}

// Whether the table was read as often as was expected.
bool is_read_to_end(const Entry &entry, const Locked_name &name) {
  const auto found = entry.reads.find(name);
  if (found == entry.reads.end()) return false;
  const Table_reads &reads = found->second;
  return reads.expected && reads.proved >= *reads.expected;
}

// A snapshot holds its tables as long as its donor's transaction runs, but for those that were read
// to their end. It holds those that may still be read in any case: so that it is seen who waits for
// them.
void release_unread_tables(Entry &entry) {
  const bool is_alive = is_offered(entry);
  entry.locks->release_unless([&](const Locked_name &name) {
    if ((is_alive && !is_read_to_end(entry, name)) || is_read(entry, name)) return true;
    entry.reads.erase(name);
    return false;
  });
}

// Sessions that read in a snapshot.
std::size_t count_scans() {
  std::size_t scans = 0;
  for (const Entry &entry : entries) scans += count_readers(entry);
  return scans;
}

void show_scans() { counters.scans_running = static_cast<long long>(count_scans()); }

// Adopters whose transactions are over, and then snapshots that are. A few of those that expired
// are kept, to tell who asks with their token why. Takes no latch and little time, so it is done
// often.
void forget_ended() {
  std::size_t to_keep = settings::max_snapshots();
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    std::erase_if(entry->adopters,
                  [](const auto &adopter) { return !is_running(adopter.second.transaction); });
    release_unread_tables(*entry);
    if (!is_over(*entry)) continue;
    entry->view.reset();
    if (to_keep > 0 && !entry->why_expired.empty()) {
      --to_keep;
    } else {
      entry->why_expired.clear();
    }
  }
  entries.remove_if(
      [](const Entry &entry) { return entry.view == nullptr && entry.why_expired.empty(); });
  show_scans();
}

// Nothing is kept of tables that the snapshot does not hold, whose number nothing limits.
void count_proof(Entry &entry, Adopter &adopter) {
  if (adopter.proved || !adopter.tables) return;
  adopter.proved = true;
  for (const Locked_name &name : *adopter.tables) {
    if (entry.locks->holds(name)) ++entry.reads[name].proved;
  }
}

// What has once expired stays so.
bool expire(Entry &entry, std::string why) {
  if (why.empty()) return false;
  entry.why_expired = std::move(why);
  entry.expired_at = Clock::now();
  ++counters.snapshots_expired;
  return true;
}

bool has_expired(Entry &entry) {
  if (!entry.why_expired.empty()) return true;
  if (!is_offered(entry) && count_readers(entry) == 0) return false;
  return expire(entry, passed_limit({age_of(entry), pinned_history(entry.view->content)},
                                    settings::snapshot_limits()));
}

bool has_session(const Entry &entry, std::uint64_t session) {
  return entry.adopters.contains(session) || (entry.donor.session == session && is_offered(entry));
}

std::string printable_name(const Locked_name &name) {
  return printable(name.schema) + "." + printable(name.table);
}

// A table that nobody named may be behind a view, and its name a secret.
bool is_named(const Entry &entry, const Locked_name &name) {
  const auto found = entry.reads.find(name);
  return found != entry.reads.end() && found->second.named;
}

// Nothing that is read in a snapshot that has expired counts, so its sessions end at once when
// somebody waits. Otherwise that a table is waited for is noticed up to two intervals late, and
// acted upon one later.
void look_who_waits(Entry &entry) {
  const auto wait =
      entry.locks->look([&](std::uint64_t session) { return has_session(entry, session); });
  if (!wait) return;
  if (!entry.why_expired.empty()) {
    entry.is_waited_for = true;
    entry.locks->release();
    return;
  }
  const auto limit = settings::ddl_wait_limit();
  if (wait->lasted < limit - grace_of_ddl() - 2 * snapshots::look_interval) return;
  const std::string name = printable_name(wait->name);
  const bool is_told = is_named(entry, wait->name);
  if (!is_told) entry.secret_wait = name;
  entry.gave_way =
      expire(entry, "DDL, LOCK TABLES or FLUSH TABLES waits for " +
                        (is_told ? "table " + name : "a table that the snapshot holds") +
                        ", and mysql_pq_ddl_wait_limit = " + std::to_string(limit.count()) +
                        " milliseconds");
  entry.locks->release();
  ++counters.snapshots_gave_way;
}

// Looks at all entries, so that the time taken does not tell how near a guess was.
Entry *find_entry(const Snapshot_token &token) {
  Entry *found = nullptr;
  for (Entry &entry : entries) {
    if (same_token(entry.token, token)) found = &entry;
  }
  return found;
}

std::unexpected<Error> no_such_snapshot() {
  return fail(Code::no_such_snapshot,
              "no snapshot of this account has that token; it ends with its donor's transaction");
}

Result<Entry *> find_offered(const Account &account, const Snapshot_token &token) {
  Entry *entry = find_entry(token);
  if (entry == nullptr || entry->owner != account) return no_such_snapshot();
  if (has_expired(*entry)) return expiry(*entry);
  if (!is_offered(*entry)) return no_such_snapshot();
  return entry;
}

bool is_adopter(const Entry &entry, const Session_transaction &reader) {
  const auto found = entry.adopters.find(reader.session);
  return found != entry.adopters.end() && found->second.transaction == reader.transaction;
}

bool reads_in(const Entry &entry, const Session_transaction &reader) {
  return is_adopter(entry, reader) && !entry.adopters.at(reader.session).left;
}

// One token for each transaction, and none for a view that was itself adopted: whoever passes a
// view on from one transaction to the next could hold purge back for ever without any transaction
// looking old.
Result<void> check_may_export(const Session_transaction &donor) {
  for (const Entry &entry : entries) {
    if (entry.donor.transaction == donor.transaction) {
      return fail(Code::bad_snapshot, "the transaction has exported its snapshot already");
    }
    if (is_adopter(entry, donor)) {
      return fail(Code::bad_snapshot, "the transaction reads in a snapshot of another one");
    }
  }
  return {};
}

// A session that goes from one snapshot to another reads in one only.
Result<void> check_may_scan(const Session_transaction &reader) {
  const auto reads = [&](const Entry &entry) { return reads_in(entry, reader); };
  const std::size_t others = count_scans() - (std::ranges::any_of(entries, reads) ? 1 : 0);
  if (others < settings::max_scans()) return {};
  ++counters.scans_refused;
  return fail(Code::too_many_scans,
              "mysql_pq_max_scans = " + std::to_string(settings::max_scans()) +
                  " sessions read in snapshots already");
}

Snapshot_summary summarize(const Entry &entry) {
  return {.owner = entry.owner,
          .donor_id = is_offered(entry) ? std::optional(entry.donor.session) : std::nullopt,
          .expired = !entry.why_expired.empty(),
          .age = age_of(entry),
          .readers = count_readers(entry),
          .adoptions = entry.adoptions,
          .history = entry.view == nullptr ? 0 : pinned_history(entry.view->content)};
}

std::chrono::milliseconds grace_of(const Entry &entry) {
  if (entry.gave_way) return grace_of_ddl();
  return entry.is_waited_for ? std::chrono::milliseconds(0) : settings::snapshot_grace();
}

// Whoever has left holds back no history, but tables.
Expired_snapshot expired_now(Entry &entry) {
  const bool for_tables = entry.gave_way || entry.is_waited_for;
  Expired_snapshot expired{entry.owner,
                           entry.donor.session,
                           entry.why_expired,
                           entry.secret_wait,
                           {},
                           !entry.interrupted,
                           Clock::now() - entry.expired_at >= grace_of(entry)};
  if (is_offered(entry)) expired.sessions.push_back(entry.donor);
  for (const auto &[session, adopter] : entry.adopters) {
    if (adopter.left && !for_tables) continue;
    expired.sessions.push_back({session, adopter.transaction});
  }
  entry.interrupted = true;
  return expired;
}

// --- These take the mutex. ---

Result<void> insert(Entry &&entry) {
  const Entries_guard guard;
  forget_ended();
  if (auto allowed = check_may_export(entry.donor); !allowed) return allowed;
  if (static_cast<std::size_t>(std::ranges::count_if(entries, is_offered)) >=
      settings::max_snapshots()) {
    return fail(Code::too_many_snapshots,
                "mysql_pq_max_snapshots = " + std::to_string(settings::max_snapshots()) +
                    " snapshots live already");
  }
  entries.push_back(std::move(entry));
  return {};
}

// What a session needs of a snapshot to read in it.
struct Offer {
  std::shared_ptr<const Exported_view> view;
  std::shared_ptr<Table_locks> locks;
};

Result<Offer> find_offer(THD *thd, const Snapshot_token &token) {
  const Account account = account_of(thd);
  const Entries_guard guard;
  const auto entry = find_offered(account, token);
  if (!entry) return std::unexpected(entry.error());
  return Offer{(*entry)->view, (*entry)->locks};
}

// Tables that one session names, more than any query has. A session that names more counts as one
// that named none.
constexpr std::size_t most_tables = 1024;

// Adds the tables that a session told of to those that it may read.
void add_tables(std::optional<Names> &known, const std::vector<Locked_name> &names) {
  if (names.empty() || (known && known->size() + names.size() > most_tables)) known.reset();
  if (known) known->insert(names.begin(), names.end());
}

// Before the adoption, so that no session reads in a snapshot unseen by those who end it. Returns
// what was recorded of the session before.
Result<std::optional<Adopter>> record_adopter(const Snapshot_token &token,
                                              const Session_transaction &reader,
                                              const std::vector<Locked_name> &names) {
  const Entries_guard guard;
  forget_ended();
  Entry *entry = find_entry(token);
  if (entry == nullptr || entry->view == nullptr) return no_such_snapshot();
  // It may have expired since it was found, and the sessions that read in it may have been
  // interrupted already.
  if (has_expired(*entry)) return expiry(*entry);
  if (!reads_in(*entry, reader)) {
    if (auto allowed = check_may_scan(reader); !allowed) return std::unexpected(allowed.error());
  }
  std::optional<Adopter> before;
  if (is_adopter(*entry, reader)) before = entry->adopters.at(reader.session);
  Adopter adopter = before.value_or(Adopter{reader.transaction, Names()});
  adopter.left = false;
  add_tables(adopter.tables, names);
  std::vector<Table_reads *> named;
  for (const Locked_name &name : names) {
    if (entry->locks->holds(name)) named.push_back(&entry->reads[name]);
  }
  entry->adopters.insert_or_assign(reader.session, std::move(adopter));
  for (Table_reads *reads : named) reads->named = true;
  show_scans();
  return before;
}

void withdraw_adopter(const Snapshot_token &token, const Session_transaction &reader,
                      std::optional<Adopter> before) noexcept {
  const Entries_guard guard;
  Entry *entry = find_entry(token);
  if (entry == nullptr) return;
  const auto found = entry->adopters.find(reader.session);
  if (found == entry->adopters.end()) return;
  if (before) {
    found->second = std::move(*before);
  } else {
    entry->adopters.erase(found);
  }
  show_scans();
}

// What a session that adopts has done so far: when this goes, all is as it was before, unless the
// adoption has succeeded.
class Adoption final {
 public:
  Adoption(THD *thd, const Snapshot_token &token, const Session_transaction &reader)
      : m_token(token), m_reader(reader), m_locks(thd) {}

  ~Adoption() {
    if (m_recorded) withdraw_adopter(m_token, m_reader, std::move(m_before));
  }

  Adoption(const Adoption &) = delete;
  Adoption &operator=(const Adoption &) = delete;

  [[nodiscard]] Result<void> record(const std::vector<Locked_name> &names) {
    auto before = record_adopter(m_token, m_reader, names);
    if (!before) return std::unexpected(before.error());
    m_before = std::move(*before);
    m_recorded = true;
    return {};
  }

  void succeed() noexcept {
    m_locks.keep();
    m_recorded = false;
  }

 private:
  const Snapshot_token &m_token;
  const Session_transaction &m_reader;
  std::optional<Adopter> m_before{};
  bool m_recorded = false;
  Locks_since m_locks;
};

// A session reads in one snapshot only. What others have lent it, it keeps until its transaction
// ends.
std::chrono::milliseconds confirm_adopter(const Snapshot_token &token,
                                          const Session_transaction &reader) {
  const Entries_guard guard;
  Entry *adopted = find_entry(token);
  for (Entry &entry : entries) {
    if (&entry == adopted) continue;
    if (const auto found = entry.adopters.find(reader.session); found != entry.adopters.end()) {
      found->second.left = true;
    }
  }
  show_scans();
  if (adopted == nullptr) return {};
  ++adopted->adoptions;
  return age_of(*adopted);
}

// What the donor has locked again the snapshot keeps too, so that it is seen who waits for it.
void keep_what_is_locked_again(THD *donor, Entry &entry) {
  for (const Locked_name &name : locked_tables(donor)) {
    if (const auto reads = entry.reads.find(name); reads != entry.reads.end()) {
      reads->second.expected.reset();
    }
  }
}

// DDL may have changed a table that was given up. Who names it in adopt learns that there; who
// locks it by a statement, as by one that reads a view, does not.
Result<void> check_given_up(THD *thd, const Entry &entry, const std::optional<Names> &named) {
  if (entry.told.empty()) return {};
  const auto is_unsure = [&](const Locked_name &name) {
    return entry.told.contains(name) && !entry.locks->holds(name) &&
           !(named && named->contains(name));
  };
  if (std::ranges::none_of(locked_tables(thd), is_unsure)) return {};
  return fail(Code::bad_snapshot,
              "the session read a table that the snapshot had given up: name all tables in "
              "mysql_pq_snapshot_adopt, and none behind a view in mysql_pq_snapshot_expect");
}

enum class Proof : std::uint8_t { of_one_batch, of_all };

Result<std::chrono::milliseconds> check_reader(THD *thd, const Snapshot_token &token,
                                               const Session_transaction &reader, Proof proof) {
  const Account account = account_of(thd);
  const Entries_guard guard;
  const auto entry = find_offered(account, token);
  if (!entry) return std::unexpected(entry.error());
  const bool is_donor = (*entry)->donor.transaction == reader.transaction;
  if (!is_donor && !reads_in(**entry, reader)) {
    return fail(Code::bad_snapshot, "the session did not adopt the snapshot in this transaction");
  }
  Adopter *adopter = is_donor ? nullptr : &(*entry)->adopters.at(reader.session);
  if (is_donor) keep_what_is_locked_again(thd, **entry);
  if (auto sure = check_given_up(thd, **entry, adopter ? adopter->tables : std::optional<Names>());
      !sure) {
    return std::unexpected(sure.error());
  }
  if (adopter != nullptr && proof == Proof::of_all) count_proof(**entry, *adopter);
  return age_of(**entry);
}

Result<std::chrono::milliseconds> check(THD *thd, const Snapshot_token &token, Proof proof) {
  const auto offer = find_offer(thd, token);
  if (!offer) return std::unexpected(offer.error());
  const auto transaction = find_adopted(thd, *offer->view);
  if (!transaction) return std::unexpected(transaction.error());
  return check_reader(thd, token, {thd->thread_id(), *transaction}, proof);
}

std::vector<Locked_name> locked_names(const std::vector<Target> &tables) {
  std::vector<Locked_name> names;
  names.reserve(tables.size());
  for (const Target &table : tables) names.push_back(locked_name(table));
  return names;
}

// Which of the tables the snapshot does not hold, and were waited for.
Result<std::vector<Target>> lock_tables(THD *thd, Table_locks &locks,
                                        const std::vector<Target> &tables) {
  std::vector<Target> waited_for;
  for (const Target &table : tables) {
    const Locked_name name = locked_name(table);
    const auto lent = locks.lend(thd, name);
    if (!lent) return std::unexpected(lent.error());
    if (*lent) continue;
    if (auto locked = wait_for_lock(thd, name); !locked) return std::unexpected(locked.error());
    waited_for.push_back(table);
  }
  return waited_for;
}

// DDL may have come between the snapshot and the lock.
Result<void> check_covered(THD *thd, const std::vector<Target> &tables,
                           const View_content &content) {
  for (const Target &table : tables) {
    const auto covered = covers(thd, table, content);
    if (!covered) return std::unexpected(covered.error());
    if (*covered) continue;
    return fail(Code::unusable_table, "the table was altered after the moment of the snapshot");
  }
  return {};
}

// From the reader's own locks, and as long as somebody reads them: so that it is seen who waits for
// them.
Result<void> hold_while_read(THD *thd, const Snapshot_token &token,
                             const std::vector<Target> &tables) {
  const Entries_guard guard;
  Entry *entry = find_entry(token);
  if (entry == nullptr) return no_such_snapshot();
  if (has_expired(*entry)) return expiry(*entry);
  for (const Target &table : tables) {
    const Locked_name name = locked_name(table);
    const bool was_held = entry->locks->holds(name);
    if (auto held = entry->locks->take_from(thd, name); !held) return held;
    Table_reads &reads = entry->reads[name];
    reads.named = true;
    if (!was_held && !reads.expected) reads.expected = 0;
  }
  return {};
}

// The view last: who is refused must not read in the snapshot.
Result<void> lock_and_adopt(THD *thd, const Snapshot_token &token, const Offer &offer,
                            const std::vector<Target> &tables) {
  const auto waited_for = lock_tables(thd, *offer.locks, tables);
  if (!waited_for) return std::unexpected(waited_for.error());
  if (!waited_for->empty()) {
    auto covered = check_covered(thd, *waited_for, offer.view->content);
    if (covered) covered = hold_while_read(thd, token, *waited_for);
    if (!covered) return covered;
  }
  return adopt_view(thd, *offer.view);
}

}  // namespace

namespace snapshots {

Result<Snapshot_token> add(THD *thd) {
  auto view = export_view(thd);
  if (!view) return std::unexpected(view.error());
  Snapshot_token token;
  if (my_rand_buffer(token.bytes.data(), token.bytes.size()) != 0) {
    return fail(Code::out_of_memory, {});
  }
  auto locks = std::make_shared<Table_locks>();
  if (auto taken = locks->take_from(thd); !taken) return std::unexpected(taken.error());
  auto inserted = insert({.token = token,
                          .owner = account_of(thd),
                          .donor = {thd->thread_id(), view->donor},
                          .begun = Clock::now() - view->age,
                          .view = std::make_shared<const Exported_view>(*view),
                          .locks = std::move(locks)});
  if (!inserted) return std::unexpected(inserted.error());
  return token;
}

Result<void> hold(THD *thd, const Target &table) {
  const auto transaction = begin_reading(thd);
  if (!transaction) return std::unexpected(transaction.error());
  const Entries_guard guard;
  for (Entry &entry : entries) {
    if (!(entry.donor.transaction == *transaction) || has_expired(entry)) continue;
    const Locked_name name = locked_name(table);
    entry.reads.erase(name);
    if (auto held = entry.locks->take_from(thd, name); !held) return held;
    entry.told.erase(name);
    entry.reads[name].named = true;
    return {};
  }
  return {};
}

Result<std::chrono::milliseconds> expect(THD *thd, const Target &table, std::uint64_t readers) {
  const auto transaction = begin_reading(thd);
  if (!transaction) return std::unexpected(transaction.error());
  const Entries_guard guard;
  for (Entry &entry : entries) {
    if (!(entry.donor.transaction == *transaction)) continue;
    if (has_expired(entry)) return expiry(entry);
    const Locked_name name = locked_name(table);
    // One that is not held is free already, or none of the snapshot's.
    if (!entry.locks->holds(name)) return age_of(entry);
    // A table that the donor keeps, the snapshot keeps too: so that it is seen who waits for it.
    if (entry.told.size() >= Table_locks::most_tables) return age_of(entry);
    Table_reads &reads = entry.reads[name];
    const bool is_first = entry.told.insert(name).second;
    if (entry.locks->take_over(thd, name)) {
      reads.expected = readers;
    } else if (is_first) {
      entry.told.erase(name);
    }
    return age_of(entry);
  }
  return fail(Code::bad_snapshot, "the session exported no snapshot in this transaction");
}

// The tables first: that the donor lives, which the adoption of its view shows, proves that they
// are what they were.
Result<std::chrono::milliseconds> adopt(THD *thd, const Snapshot_token &token,
                                        const std::vector<Target> &tables) {
  for (const Target &table : tables) {
    // The donor's user may learn nothing of tables that a view or routine locked.
    if (auto allowed = check_access(thd, table); !allowed) return std::unexpected(allowed.error());
  }
  const auto offer = find_offer(thd, token);
  if (!offer) return std::unexpected(offer.error());
  const auto transaction = begin_reading(thd);
  if (!transaction) return std::unexpected(transaction.error());
  const Session_transaction reader{thd->thread_id(), *transaction};
  Adoption adoption(thd, token, reader);
  if (auto recorded = adoption.record(locked_names(tables)); !recorded) {
    return std::unexpected(recorded.error());
  }
  if (auto adopted = lock_and_adopt(thd, token, *offer, tables); !adopted) {
    return std::unexpected(adopted.error());
  }
  adoption.succeed();
  return confirm_adopter(token, reader);
}

Result<std::chrono::milliseconds> verify(THD *thd, const Snapshot_token &token) {
  return check(thd, token, Proof::of_all);
}

Result<std::chrono::milliseconds> check_batch(THD *thd, const Snapshot_token &token) {
  return check(thd, token, Proof::of_one_batch);
}

std::vector<Expired_snapshot> expired() {
  const Entries_guard guard;
  forget_ended();
  std::vector<Expired_snapshot> all;
  for (Entry &entry : entries) {
    if (is_over(entry)) continue;
    has_expired(entry);
    if (!entry.gave_way) look_who_waits(entry);
    if (entry.why_expired.empty()) continue;
    Expired_snapshot snapshot = expired_now(entry);
    if (snapshot.found_now || snapshot.close) all.push_back(std::move(snapshot));
  }
  return all;
}

void forget_all() noexcept {
  const Entries_guard guard;
  entries.clear();
}

bool none_alive() {
  const Entries_guard guard;
  forget_ended();
  return std::ranges::all_of(entries, is_over);
}

std::vector<Snapshot_summary> list(THD *thd, Whose whose) {
  const Account account = account_of(thd);
  const Entries_guard guard;
  forget_ended();
  std::vector<Snapshot_summary> all;
  for (const Entry &entry : entries) {
    if (is_over(entry) || (whose == Whose::own && entry.owner != account)) continue;
    all.push_back(summarize(entry));
  }
  return all;
}

}  // namespace snapshots

}  // namespace pq
