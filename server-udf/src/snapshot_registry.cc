#include "snapshot_registry.h"

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "my_rnd.h"
#include "mysql_compat.h"
#include "pure/utf8.h"
#include "settings.h"
#include "table_lease.h"

namespace pq {

namespace {

using Clock = std::chrono::steady_clock;

// A transaction that reads in a snapshot.
struct Adopter {
  Transaction transaction;
  // That it reads; none if it did not tell, and may read any.
  std::optional<std::vector<Locked_name>> tables;
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
  std::uint64_t adoptions = 0;
  std::string why_expired{};  // empty if it has not
  bool gave_way = false;      // to a session that waited for a table
  Clock::time_point expired_at{};
  bool interrupted = false;
};

// Guards the entries. Under it none of the server's mutexes is taken, but those that Table_locks takes.
std::mutex mutex;
std::list<Entry> entries;

Account account_of(THD *thd) {
  const Security_context *account = thd->security_context();
  return {{account->priv_user().str, account->priv_user().length},
          {account->priv_host().str, account->priv_host().length}};
}

std::chrono::milliseconds age_of(const Entry &entry) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - entry.begun);
}

bool is_offered(const Entry &entry) { return is_running(entry.donor.transaction); }

// Nobody reads in it any more.
bool is_over(const Entry &entry) { return !is_offered(entry) && entry.adopters.empty(); }

// By how much sooner sessions are interrupted than a wait may last: so that they can ask why, before their connections are
// closed, and that these are closed in time.
std::chrono::milliseconds grace_of_ddl() {
  return std::min(settings::ddl_wait_limit() / 4, std::chrono::milliseconds(250));
}

std::unexpected<Error> expiry(const Entry &entry) {
  return fail(entry.gave_way ? Code::gave_way : Code::snapshot_expired, entry.why_expired);
}

// --- All from here to `expired_now` under the mutex. ---

// Of an adopter that named no tables nobody knows.
bool is_read(const Entry &entry, const Locked_name &name, bool if_unknown) {
  return std::ranges::any_of(entry.adopters, [&](const auto &adopter) {
    const auto &tables = adopter.second.tables;
    return tables ? std::ranges::find(*tables, name) != tables->end() : if_unknown;
  });
}

// A snapshot holds its tables as long as its donor's transaction runs, and after it those that are still read by its locks:
// so that it is seen who waits for them.
void release_unread_tables(const Entry &entry) {
  if (is_offered(entry)) return;
  entry.locks->release_unless([&](const Locked_name &name) { return is_read(entry, name, false); });
}

// Sessions that read in a snapshot.
std::size_t count_scans() {
  std::size_t scans = 0;
  for (const Entry &entry : entries) scans += entry.adopters.size();
  return scans;
}

void show_scans() { counters.scans_running = static_cast<long long>(count_scans()); }

// Adopters whose transactions are over, and then snapshots that are. Of those that expired a few are kept, to
// tell who asks with their token why. Takes no latch and little time, so it is done often.
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

// What has once expired stays so. Nothing that is read in it counts from here on, so the tables are free for others as
// soon as its sessions end.
bool expire(Entry &entry, std::string why) {
  if (why.empty()) return false;
  entry.why_expired = std::move(why);
  entry.expired_at = Clock::now();
  entry.locks->release();
  ++counters.snapshots_expired;
  return true;
}

bool has_expired(Entry &entry) {
  if (!entry.why_expired.empty()) return true;
  if (is_over(entry)) return false;
  return expire(entry, passed_limit({age_of(entry), pinned_history(entry.view->content)},
                                    settings::snapshot_limits()));
}

std::string printable_name(const Locked_name &name) {
  return printable(name.schema) + "." + printable(name.table);
}

// What a table is waited for is noticed up to two intervals late, and acted upon one later.
bool has_to_give_way(Entry &entry) {
  const auto wait =
      entry.locks->look([&](const Locked_name &name) { return is_read(entry, name, true); });
  if (!wait) return false;
  const auto limit = settings::ddl_wait_limit();
  if (wait->lasted < limit - grace_of_ddl() - 2 * snapshots::look_interval) return false;
  entry.gave_way = expire(entry, "DDL, LOCK TABLES or FLUSH TABLES waits for table " +
                                     printable_name(wait->name) +
                                     ", and mysql_pq_ddl_wait_limit = " +
                                     std::to_string(limit.count()) + " milliseconds");
  ++counters.snapshots_gave_way;
  return true;
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

// One token for each transaction, and none for a view that was itself adopted: whoever passes a view on from
// one transaction to the next could hold purge back for ever without any transaction looking old.
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
  const auto holds = [&](const Entry &entry) { return is_adopter(entry, reader); };
  const std::size_t others = count_scans() - (std::ranges::any_of(entries, holds) ? 1 : 0);
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
          .readers = entry.adopters.size(),
          .adoptions = entry.adoptions,
          .history = entry.view == nullptr ? 0 : pinned_history(entry.view->content)};
}

std::chrono::milliseconds grace_of(const Entry &entry) {
  return entry.gave_way ? grace_of_ddl() : settings::snapshot_grace();
}

Expired_snapshot expired_now(Entry &entry) {
  Expired_snapshot expired{
      entry.owner,        entry.donor.session,
      entry.why_expired,  {},
      !entry.interrupted, Clock::now() - entry.expired_at >= grace_of(entry)};
  if (is_offered(entry)) expired.sessions.push_back(entry.donor);
  for (const auto &[session, adopter] : entry.adopters) {
    expired.sessions.push_back({session, adopter.transaction});
  }
  entry.interrupted = true;
  return expired;
}

// --- These take the mutex. ---

Result<void> insert(Entry &&entry) {
  const std::lock_guard guard(mutex);
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
  const std::lock_guard guard(mutex);
  const auto entry = find_offered(account, token);
  if (!entry) return std::unexpected(entry.error());
  return Offer{(*entry)->view, (*entry)->locks};
}

// What a session may read that told of further tables.
void add_tables(std::optional<std::vector<Locked_name>> &known,
                const std::vector<Locked_name> &names) {
  if (names.empty()) {
    known.reset();
  } else if (known) {
    known->insert(known->end(), names.begin(), names.end());
  }
}

// Before the adoption, so that no session reads in a snapshot unseen by those who end it. True if the session was
// none yet.
Result<bool> record_adopter(const Snapshot_token &token, const Session_transaction &reader,
                            const std::vector<Locked_name> &names) {
  const std::lock_guard guard(mutex);
  forget_ended();
  Entry *entry = find_entry(token);
  if (entry == nullptr || entry->view == nullptr) return false;
  // Since it was found: the sessions that read in it may have been interrupted already.
  if (has_expired(*entry)) return expiry(*entry);
  if (is_adopter(*entry, reader)) {
    add_tables(entry->adopters.at(reader.session).tables, names);
    return false;
  }
  if (auto allowed = check_may_scan(reader); !allowed) return std::unexpected(allowed.error());
  Adopter adopter{reader.transaction, std::vector<Locked_name>()};
  add_tables(adopter.tables, names);
  entry->adopters.insert_or_assign(reader.session, std::move(adopter));
  show_scans();
  return true;
}

void withdraw_adopter(const Snapshot_token &token, const Session_transaction &reader) {
  const std::lock_guard guard(mutex);
  if (Entry *entry = find_entry(token)) entry->adopters.erase(reader.session);
  show_scans();
}

// A session reads in one snapshot only.
std::chrono::milliseconds confirm_adopter(const Snapshot_token &token,
                                          const Session_transaction &reader) {
  const std::lock_guard guard(mutex);
  Entry *adopted = find_entry(token);
  for (Entry &entry : entries) {
    if (&entry != adopted) entry.adopters.erase(reader.session);
  }
  show_scans();
  if (adopted == nullptr) return {};
  ++adopted->adoptions;
  return age_of(*adopted);
}

Result<std::chrono::milliseconds> check_reader(THD *thd, const Snapshot_token &token,
                                               const Session_transaction &reader) {
  const Account account = account_of(thd);
  const std::lock_guard guard(mutex);
  const auto entry = find_offered(account, token);
  if (!entry) return std::unexpected(entry.error());
  if ((*entry)->donor.transaction != reader.transaction && !is_adopter(**entry, reader)) {
    return fail(Code::bad_snapshot, "the session did not adopt the snapshot in this transaction");
  }
  return age_of(**entry);
}

std::vector<Locked_name> locked_names(const std::vector<Target> &tables) {
  std::vector<Locked_name> names;
  names.reserve(tables.size());
  for (const Target &table : tables) names.push_back(locked_name(table));
  return names;
}

Result<void> lend(THD *thd, Table_locks &locks, const std::vector<Locked_name> &names) {
  for (const Locked_name &name : names) {
    const auto lent = locks.lend(thd, name);
    if (!lent) return std::unexpected(lent.error());
    if (*lent) continue;
    return fail(Code::bad_snapshot, "the snapshot does not hold table " + printable_name(name) +
                                        ": its donor must lock it before the export, or ask "
                                        "mysql_pq_snapshot_covers when it has locked it");
  }
  return {};
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
  const std::lock_guard guard(mutex);
  for (Entry &entry : entries) {
    if (!(entry.donor.transaction == *transaction) || has_expired(entry)) continue;
    return entry.locks->take_from(thd, locked_name(table));
  }
  return {};
}

// The tables first: that the donor lives, which the adoption of its view shows, proves that they are what they were.
Result<std::chrono::milliseconds> adopt(THD *thd, const Snapshot_token &token,
                                        const std::vector<Target> &tables) {
  for (const Target &table : tables) {
    // Of tables that a view or routine locked for the donor its user may learn nothing.
    if (auto allowed = check_access(thd, table); !allowed) return std::unexpected(allowed.error());
  }
  const auto offer = find_offer(thd, token);
  if (!offer) return std::unexpected(offer.error());
  const auto transaction = begin_reading(thd);
  if (!transaction) return std::unexpected(transaction.error());
  const Session_transaction reader{thd->thread_id(), *transaction};
  const std::vector<Locked_name> names = locked_names(tables);
  const auto recorded = record_adopter(token, reader, names);
  if (!recorded) return std::unexpected(recorded.error());
  auto adopted = lend(thd, *offer->locks, names);
  if (adopted) adopted = adopt_view(thd, *offer->view);
  if (!adopted) {
    if (*recorded) withdraw_adopter(token, reader);
    // Why a table is not held any more.
    const auto again = find_offer(thd, token);
    return std::unexpected(again ? adopted.error() : again.error());
  }
  return confirm_adopter(token, reader);
}

Result<std::chrono::milliseconds> verify(THD *thd, const Snapshot_token &token) {
  const auto offer = find_offer(thd, token);
  if (!offer) return std::unexpected(offer.error());
  const auto transaction = find_adopted(thd, *offer->view);
  if (!transaction) return std::unexpected(transaction.error());
  return check_reader(thd, token, {thd->thread_id(), *transaction});
}

std::vector<Expired_snapshot> expired() {
  const std::lock_guard guard(mutex);
  forget_ended();
  std::vector<Expired_snapshot> all;
  for (Entry &entry : entries) {
    if (is_over(entry) || !(has_expired(entry) || has_to_give_way(entry))) continue;
    Expired_snapshot snapshot = expired_now(entry);
    if (snapshot.found_now || snapshot.close) all.push_back(std::move(snapshot));
  }
  return all;
}

void release_tables() noexcept {
  const std::lock_guard guard(mutex);
  for (const Entry &entry : entries) entry.locks->release();
}

bool none_alive() {
  const std::lock_guard guard(mutex);
  forget_ended();
  return std::ranges::all_of(entries, is_over);
}

std::vector<Snapshot_summary> list(THD *thd, Whose whose) {
  const Account account = account_of(thd);
  const std::lock_guard guard(mutex);
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
