#include "snapshot_registry.h"

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "my_rnd.h"
#include "mysql_compat.h"
#include "settings.h"

namespace pq {

namespace {

using Clock = std::chrono::steady_clock;

struct Snapshot {
  Snapshot_token token;
  Account owner;
  Exported_view view;
  std::uint64_t donor_id;
  Clock::time_point begun;
};

// A snapshot and the transactions that adopted it, by session.
struct Entry {
  std::shared_ptr<const Snapshot> snapshot;
  std::unordered_map<std::uint64_t, Transaction> adopters;
  std::uint64_t adoptions = 0;
};

// Guards the entries. Never held together with a mutex of the server's.
std::mutex mutex;
std::list<Entry> entries;

Account account_of(THD *thd) {
  const Security_context *account = thd->security_context();
  return {{account->priv_user().str, account->priv_user().length},
          {account->priv_host().str, account->priv_host().length}};
}

std::chrono::milliseconds age_of(const Snapshot &snapshot) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - snapshot.begun);
}

// Looks at all entries, so that the time taken does not tell how near a guess was.
Entry *find_entry(const Snapshot_token &token) {
  Entry *found = nullptr;
  for (Entry &entry : entries) {
    if (same_token(entry.snapshot->token, token)) found = &entry;
  }
  return found;
}

std::unexpected<Error> no_such_snapshot() {
  return fail(Code::no_such_snapshot,
              "no snapshot of this account has that token; it ends with its donor's transaction");
}

Result<std::shared_ptr<const Snapshot>> find(THD *thd, const Snapshot_token &token) {
  const Account account = account_of(thd);
  const std::lock_guard guard(mutex);
  const Entry *entry = find_entry(token);
  if (entry == nullptr || entry->snapshot->owner != account) return no_such_snapshot();
  return entry->snapshot;
}

// Those whose donor has ended, and adopters that have. Takes no time to speak of, so it is done often. Under the
// mutex.
void forget_ended() {
  entries.remove_if([](const Entry &entry) { return !is_running(entry.snapshot->view.donor); });
  for (Entry &entry : entries) {
    std::erase_if(entry.adopters, [](const auto &adopter) { return !is_running(adopter.second); });
  }
}

// One token for each transaction, and none for a view that was itself adopted: whoever passes a view on from
// one transaction to the next could hold purge back for ever without any transaction looking old.
Result<void> check_may_export(const Snapshot &snapshot) {
  const std::lock_guard guard(mutex);
  for (const Entry &entry : entries) {
    if (entry.snapshot->view.donor == snapshot.view.donor) {
      return fail(Code::bad_snapshot, "the transaction has exported its snapshot already");
    }
    const auto adopter = entry.adopters.find(snapshot.donor_id);
    if (adopter != entry.adopters.end() && adopter->second == snapshot.view.donor) {
      return fail(Code::bad_snapshot, "the transaction reads in a snapshot of another one");
    }
  }
  return {};
}

bool insert(std::shared_ptr<const Snapshot> snapshot) {
  const std::lock_guard guard(mutex);
  forget_ended();
  if (entries.size() >= settings::max_snapshots()) return false;
  entries.push_back({std::move(snapshot), {}, 0});
  return true;
}

void record_adopter(const Snapshot_token &token, std::uint64_t session,
                    const Transaction &adopter) {
  const std::lock_guard guard(mutex);
  forget_ended();
  Entry *entry = find_entry(token);
  if (entry == nullptr) return;
  entry->adopters[session] = adopter;
  ++entry->adoptions;
}

bool is_adopter(const Snapshot_token &token, std::uint64_t session,
                const Transaction &transaction) {
  const std::lock_guard guard(mutex);
  const Entry *entry = find_entry(token);
  if (entry == nullptr) return false;
  const auto found = entry->adopters.find(session);
  return found != entry->adopters.end() && found->second == transaction;
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
  const auto snapshot = std::make_shared<const Snapshot>(token, account_of(thd), std::move(*view),
                                                         thd->thread_id(), Clock::now());
  if (auto allowed = check_may_export(*snapshot); !allowed) {
    return std::unexpected(allowed.error());
  }
  if (insert(snapshot)) return token;
  return fail(Code::too_many_snapshots,
              "mysql_pq_max_snapshots = " + std::to_string(settings::max_snapshots()) +
                  " snapshots live already");
}

Result<std::chrono::milliseconds> adopt(THD *thd, const Snapshot_token &token) {
  const auto snapshot = find(thd, token);
  if (!snapshot) return std::unexpected(snapshot.error());
  const auto adopter = adopt_view(thd, (*snapshot)->view);
  if (!adopter) return std::unexpected(adopter.error());
  record_adopter(token, thd->thread_id(), *adopter);
  return age_of(**snapshot);
}

Result<std::chrono::milliseconds> verify(THD *thd, const Snapshot_token &token) {
  const auto snapshot = find(thd, token);
  if (!snapshot) return std::unexpected(snapshot.error());
  const auto transaction = find_adopted(thd, (*snapshot)->view);
  if (!transaction) return std::unexpected(transaction.error());
  if (!is_adopter(token, thd->thread_id(), *transaction)) {
    return fail(Code::bad_snapshot, "the session did not adopt the snapshot in this transaction");
  }
  if (!is_running((*snapshot)->view.donor)) return no_such_snapshot();
  return age_of(**snapshot);
}

bool none_alive() {
  const std::lock_guard guard(mutex);
  forget_ended();
  return entries.empty();
}

std::vector<Snapshot_summary> list() {
  const std::lock_guard guard(mutex);
  forget_ended();
  std::vector<Snapshot_summary> all;
  for (const Entry &entry : entries) {
    all.push_back({entry.snapshot->owner, entry.snapshot->donor_id, age_of(*entry.snapshot),
                   entry.adoptions});
  }
  return all;
}

}  // namespace snapshots

}  // namespace pq
