#include "snapshot_registry.h"

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "latch_check.h"
#include "my_rnd.h"
#include "mysql_compat.h"
#include "settings.h"

namespace pq {

namespace {

using Clock = std::chrono::steady_clock;

// A snapshot and the transactions that adopted it, by session.
struct Entry {
  Snapshot_token token;
  Account owner;
  Session_transaction donor;
  Clock::time_point begun;
  std::shared_ptr<const Exported_view> view;  // none once it is over
  std::unordered_map<std::uint64_t, Transaction> adopters{};
  std::uint64_t adoptions = 0;
  std::string why_expired{};  // empty if it has not
  Clock::time_point expired_at{};
  bool interrupted = false;
};

// Guards the entries. Never held together with a mutex of the server's.
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

// Nobody reads in it any more.
bool is_over(const Entry &entry) { return !is_offered(entry) && entry.adopters.empty(); }

// --- All from here to `expired_now` under the mutex. ---

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
    std::erase_if(entry->adopters, [](const auto &adopter) { return !is_running(adopter.second); });
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

// What has once expired stays so.
bool has_expired(Entry &entry) {
  if (!entry.why_expired.empty()) return true;
  if (is_over(entry)) return false;
  entry.why_expired = passed_limit({age_of(entry), pinned_history(entry.view->content)},
                                   settings::snapshot_limits());
  if (entry.why_expired.empty()) return false;
  entry.expired_at = Clock::now();
  ++counters.snapshots_expired;
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
  if (has_expired(*entry)) return fail(Code::snapshot_expired, entry->why_expired);
  if (!is_offered(*entry)) return no_such_snapshot();
  return entry;
}

bool is_adopter(const Entry &entry, const Session_transaction &reader) {
  const auto found = entry.adopters.find(reader.session);
  return found != entry.adopters.end() && found->second == reader.transaction;
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

Expired_snapshot expired_now(Entry &entry) {
  Expired_snapshot expired{
      entry.owner,        entry.donor.session,
      entry.why_expired,  {},
      !entry.interrupted, Clock::now() - entry.expired_at >= settings::snapshot_grace()};
  if (is_offered(entry)) expired.sessions.push_back(entry.donor);
  for (const auto &[session, transaction] : entry.adopters) {
    expired.sessions.push_back({session, transaction});
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

Result<std::shared_ptr<const Exported_view>> find_view(THD *thd, const Snapshot_token &token) {
  const Account account = account_of(thd);
  const Entries_guard guard;
  const auto entry = find_offered(account, token);
  if (!entry) return std::unexpected(entry.error());
  return (*entry)->view;
}

// Before the adoption, so that no session reads in a snapshot unseen by those who end it. True if the session was
// none yet.
Result<bool> record_adopter(const Snapshot_token &token, const Session_transaction &reader) {
  const Entries_guard guard;
  forget_ended();
  Entry *entry = find_entry(token);
  if (entry == nullptr || entry->view == nullptr || is_adopter(*entry, reader)) return false;
  // Since it was found: the sessions that read in it may have been interrupted already.
  if (has_expired(*entry)) return fail(Code::snapshot_expired, entry->why_expired);
  if (auto allowed = check_may_scan(reader); !allowed) return std::unexpected(allowed.error());
  entry->adopters[reader.session] = reader.transaction;
  show_scans();
  return true;
}

void withdraw_adopter(const Snapshot_token &token, const Session_transaction &reader) {
  const Entries_guard guard;
  if (Entry *entry = find_entry(token)) entry->adopters.erase(reader.session);
  show_scans();
}

// A session reads in one snapshot only.
std::chrono::milliseconds confirm_adopter(const Snapshot_token &token,
                                          const Session_transaction &reader) {
  const Entries_guard guard;
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
  const Entries_guard guard;
  const auto entry = find_offered(account, token);
  if (!entry) return std::unexpected(entry.error());
  if ((*entry)->donor.transaction != reader.transaction && !is_adopter(**entry, reader)) {
    return fail(Code::bad_snapshot, "the session did not adopt the snapshot in this transaction");
  }
  return age_of(**entry);
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
  auto inserted = insert({.token = token,
                          .owner = account_of(thd),
                          .donor = {thd->thread_id(), view->donor},
                          .begun = Clock::now() - view->age,
                          .view = std::make_shared<const Exported_view>(*view)});
  if (!inserted) return std::unexpected(inserted.error());
  return token;
}

Result<std::chrono::milliseconds> adopt(THD *thd, const Snapshot_token &token) {
  const auto view = find_view(thd, token);
  if (!view) return std::unexpected(view.error());
  const auto transaction = begin_reading(thd);
  if (!transaction) return std::unexpected(transaction.error());
  const Session_transaction reader{thd->thread_id(), *transaction};
  const auto recorded = record_adopter(token, reader);
  if (!recorded) return std::unexpected(recorded.error());
  if (auto adopted = adopt_view(thd, **view); !adopted) {
    if (*recorded) withdraw_adopter(token, reader);
    return std::unexpected(adopted.error());
  }
  return confirm_adopter(token, reader);
}

Result<std::chrono::milliseconds> verify(THD *thd, const Snapshot_token &token) {
  const auto view = find_view(thd, token);
  if (!view) return std::unexpected(view.error());
  const auto transaction = find_adopted(thd, **view);
  if (!transaction) return std::unexpected(transaction.error());
  return check_reader(thd, token, {thd->thread_id(), *transaction});
}

std::vector<Expired_snapshot> expired() {
  const Entries_guard guard;
  forget_ended();
  std::vector<Expired_snapshot> all;
  for (Entry &entry : entries) {
    if (is_over(entry) || !has_expired(entry)) continue;
    Expired_snapshot snapshot = expired_now(entry);
    if (snapshot.found_now || snapshot.close) all.push_back(std::move(snapshot));
  }
  return all;
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
