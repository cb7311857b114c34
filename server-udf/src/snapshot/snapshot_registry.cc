#include "snapshot/snapshot_registry.h"

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>

#include "my_rnd.h"
#include "pure/utf8.h"
#include "server/latch_check.h"
#include "server/mysql_compat.h"
#include "server/settings.h"
#include "snapshot/snapshot_coverage.h"
#include "snapshot/snapshot_entry.h"
#include "table/table_lease.h"

namespace pq {

namespace {

// Guards the entries. Under it none of the server's mutexes is taken, but those that Table_locks
// takes.
std::mutex mutex;
std::list<Snapshot_entry> entries;

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

// --- These are called under the mutex. ---

// Sessions that read in a snapshot.
std::size_t count_readers() {
  std::size_t readers = 0;
  for (const Snapshot_entry &entry : entries) readers += entry.count_readers();
  return readers;
}

void show_readers() { counters.scans_running = static_cast<long long>(count_readers()); }

// Adopters whose transactions are over, and then snapshots that are. A few of those that expired
// are kept, to tell who asks with their token why. Takes no latch and little time, so it is done
// often.
void forget_ended() {
  std::size_t to_keep = settings::max_snapshots();
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    std::erase_if(entry->adopters,
                  [](const auto &adopter) { return !is_running(adopter.second.transaction); });
    entry->release_unread_tables();
    if (!entry->is_over()) continue;
    entry->view.reset();
    if (to_keep > 0 && !entry->why_expired.empty()) {
      --to_keep;
    } else {
      entry->why_expired.clear();
    }
  }
  entries.remove_if([](const Snapshot_entry &entry) {
    return entry.view == nullptr && entry.why_expired.empty();
  });
  show_readers();
}

// Looks at all entries, so that the time taken does not tell how near a guess was.
Snapshot_entry *find_entry(const Snapshot_token &token) {
  Snapshot_entry *found = nullptr;
  for (Snapshot_entry &entry : entries) {
    if (same_token(entry.token, token)) found = &entry;
  }
  return found;
}

std::unexpected<Error> no_such_snapshot() {
  return fail(Code::no_such_snapshot,
              "no snapshot of this account has this token; a snapshot ends with its donor's "
              "transaction");
}

Result<Snapshot_entry *> find_offered(const Account &account, const Snapshot_token &token) {
  Snapshot_entry *entry = find_entry(token);
  if (entry == nullptr || entry->owner != account) return no_such_snapshot();
  if (entry->has_expired()) return entry->expiry();
  if (!entry->is_offered()) return no_such_snapshot();
  return entry;
}

// One token for each transaction, and none for a view that was itself adopted: whoever passes a
// view on from one transaction to the next could hold purge back for ever without any transaction
// looking old.
Result<void> check_may_export(const Session_transaction &donor) {
  for (const Snapshot_entry &entry : entries) {
    if (entry.donor.transaction == donor.transaction) {
      return fail(Code::bad_snapshot, "the transaction has exported its snapshot already");
    }
    if (entry.is_adopter(donor)) {
      return fail(Code::bad_snapshot,
                  "the transaction reads in the snapshot of another transaction");
    }
  }
  return {};
}

// A session that goes from one snapshot to another reads in one only.
Result<void> check_may_read(const Session_transaction &reader) {
  const auto reads = [&](const Snapshot_entry &entry) { return entry.reads_in(reader); };
  const std::size_t others = count_readers() - (std::ranges::any_of(entries, reads) ? 1 : 0);
  if (others < settings::max_scans()) return {};
  ++counters.scans_refused;
  return fail(Code::too_many_scans,
              "mysql_pq_max_scans = " + std::to_string(settings::max_scans()) +
                  " sessions read in snapshots already");
}

// --- These take the mutex. ---

Result<void> insert(Snapshot_entry &&entry) {
  const Entries_guard guard;
  forget_ended();
  if (auto allowed = check_may_export(entry.donor); !allowed) return allowed;
  if (static_cast<std::size_t>(std::ranges::count_if(entries, &Snapshot_entry::is_offered)) >=
      settings::max_snapshots()) {
    return fail(Code::too_many_snapshots,
                "mysql_pq_max_snapshots = " + std::to_string(settings::max_snapshots()) +
                    " snapshots are open already");
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
void add_tables(std::optional<Locked_names> &known, const std::vector<Locked_name> &names) {
  if (names.empty() || (known && known->size() + names.size() > most_tables)) known.reset();
  if (known) known->insert(names.begin(), names.end());
}

// Records an adopter before the adoption, so that no session reads in a snapshot unseen by those
// who end it. Returns what was recorded of the session before.
Result<std::optional<Adopter>> record_adopter(const Snapshot_token &token,
                                              const Session_transaction &reader,
                                              const std::vector<Locked_name> &names) {
  const Entries_guard guard;
  forget_ended();
  Snapshot_entry *entry = find_entry(token);
  if (entry == nullptr || entry->view == nullptr) return no_such_snapshot();
  // It may have expired since it was found, and the sessions that read in it may have been
  // interrupted already.
  if (entry->has_expired()) return entry->expiry();
  if (!entry->reads_in(reader)) {
    if (auto allowed = check_may_read(reader); !allowed) return std::unexpected(allowed.error());
  }
  std::optional<Adopter> before;
  if (entry->is_adopter(reader)) before = entry->adopters.at(reader.session);
  Adopter adopter = before.value_or(Adopter{reader.transaction, Locked_names()});
  adopter.left = false;
  add_tables(adopter.tables, names);
  std::vector<Table_reads *> named;
  for (const Locked_name &name : names) {
    if (entry->locks->holds(name)) named.push_back(&entry->reads[name]);
  }
  entry->adopters.insert_or_assign(reader.session, std::move(adopter));
  for (Table_reads *reads : named) reads->named = true;
  show_readers();
  return before;
}

void withdraw_adopter(const Snapshot_token &token, const Session_transaction &reader,
                      std::optional<Adopter> before) noexcept {
  const Entries_guard guard;
  Snapshot_entry *entry = find_entry(token);
  if (entry == nullptr) return;
  const auto found = entry->adopters.find(reader.session);
  if (found == entry->adopters.end()) return;
  if (before) {
    found->second = std::move(*before);
  } else {
    entry->adopters.erase(found);
  }
  show_readers();
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
  Snapshot_entry *adopted = find_entry(token);
  for (Snapshot_entry &entry : entries) {
    if (&entry == adopted) continue;
    if (const auto found = entry.adopters.find(reader.session); found != entry.adopters.end()) {
      found->second.left = true;
    }
  }
  show_readers();
  if (adopted == nullptr) return {};
  ++adopted->adoptions;
  return adopted->age();
}

enum class Proof : std::uint8_t { of_one_batch, of_all };

Result<std::chrono::milliseconds> check_reader(THD *thd, const Snapshot_token &token,
                                               const Session_transaction &reader, Proof proof) {
  const Account account = account_of(thd);
  const Entries_guard guard;
  const auto entry = find_offered(account, token);
  if (!entry) return std::unexpected(entry.error());
  const bool is_donor = (*entry)->donor.transaction == reader.transaction;
  if (!is_donor && !(*entry)->reads_in(reader)) {
    return fail(Code::bad_snapshot, "the session did not adopt the snapshot in this transaction");
  }
  Adopter *adopter = is_donor ? nullptr : &(*entry)->adopters.at(reader.session);
  if (is_donor) (*entry)->keep_what_is_locked_again(thd);
  if (auto sure =
          (*entry)->check_given_up(thd, adopter ? adopter->tables : std::optional<Locked_names>());
      !sure) {
    return std::unexpected(sure.error());
  }
  if (adopter != nullptr && proof == Proof::of_all) (*entry)->count_proof(*adopter);
  return (*entry)->age();
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

// Locks the tables. Returns those that the snapshot does not hold, and that were therefore waited
// for.
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
    return fail(Code::unusable_table, "the table was altered after the snapshot was opened");
  }
  return {};
}

// Holds these tables too, by the reader's own locks and as long as somebody reads them, so that it
// is seen who waits for them.
Result<void> hold_while_read(THD *thd, const Snapshot_token &token,
                             const std::vector<Target> &tables) {
  const Entries_guard guard;
  Snapshot_entry *entry = find_entry(token);
  if (entry == nullptr) return no_such_snapshot();
  if (entry->has_expired()) return entry->expiry();
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

// Adopts the view last, because a session that is refused must not read in the snapshot.
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
                          .begun = Snapshot_entry::Clock::now() - view->age,
                          .view = std::make_shared<const Exported_view>(*view),
                          .locks = std::move(locks)});
  if (!inserted) return std::unexpected(inserted.error());
  return token;
}

Result<void> hold(THD *thd, const Target &table) {
  const auto transaction = begin_reading(thd);
  if (!transaction) return std::unexpected(transaction.error());
  const Entries_guard guard;
  for (Snapshot_entry &entry : entries) {
    if (!(entry.donor.transaction == *transaction) || entry.has_expired()) continue;
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
  for (Snapshot_entry &entry : entries) {
    if (!(entry.donor.transaction == *transaction)) continue;
    if (entry.has_expired()) return entry.expiry();
    const Locked_name name = locked_name(table);
    // One that is not held is free already, or none of the snapshot's.
    if (!entry.locks->holds(name)) return entry.age();
    // A table that the donor keeps, the snapshot keeps too: so that it is seen who waits for it.
    if (entry.told.size() >= Table_locks::most_tables) return entry.age();
    Table_reads &reads = entry.reads[name];
    const bool is_first = entry.told.insert(name).second;
    if (entry.locks->take_over(thd, name)) {
      reads.expected = readers;
    } else if (is_first) {
      entry.told.erase(name);
    }
    return entry.age();
  }
  return fail(Code::bad_snapshot, "the session exported no snapshot in this transaction");
}

// Locks the tables first. The adoption of the donor's view then shows that the donor lives, which
// proves that the tables are what they were.
Result<std::chrono::milliseconds> adopt(THD *thd, const Snapshot_token &token,
                                        const std::vector<Target> &tables) {
  for (const Target &table : tables) {
    // The donor's user may learn nothing of tables that a view or routine locked for the donor.
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
  for (Snapshot_entry &entry : entries) {
    if (entry.is_over()) continue;
    entry.has_expired();
    if (!entry.gave_way) entry.look_who_waits();
    if (entry.why_expired.empty()) continue;
    Expired_snapshot snapshot = entry.expired_now();
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
  return std::ranges::all_of(entries, &Snapshot_entry::is_over);
}

std::vector<Snapshot_summary> list(THD *thd, Whose whose) {
  const Account account = account_of(thd);
  const Entries_guard guard;
  forget_ended();
  std::vector<Snapshot_summary> all;
  for (const Snapshot_entry &entry : entries) {
    if (entry.is_over() || (whose == Whose::own && entry.owner != account)) continue;
    all.push_back(entry.summary());
  }
  return all;
}

}  // namespace snapshots

}  // namespace pq
