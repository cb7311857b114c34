// Reads, compares and replaces InnoDB's read views (docs/decisions/shared-snapshot.md).

#ifndef MYSQL_PQ_SNAPSHOT_READ_VIEW_H
#define MYSQL_PQ_SNAPSHOT_READ_VIEW_H

#include <chrono>
#include <cstdint>
#include <vector>

#include "pure/error.h"

class ReadView;
class THD;
struct trx_t;

namespace pq {

// Which transactions a read view sees.
struct View_content {
  std::uint64_t low_limit_id;      // sees none from here on
  std::uint64_t up_limit_id;       // sees all below
  std::uint64_t low_limit_no;      // purge may remove what was committed below
  std::vector<std::uint64_t> ids;  // in between, those it does not see; ascending

  bool operator==(const View_content &) const = default;
};

// One transaction of one session. InnoDB keeps the memory of a trx_t until it shuts down, whatever
// becomes of its session, and counts its version up at the end of each transaction and never down:
// so the address may always be followed, and the version tells for good whether the transaction is
// over.
struct Transaction {
  const trx_t *trx;
  std::uint64_t version;

  bool operator==(const Transaction &) const = default;
};

// Whether such a view sees what the transaction wrote.
[[nodiscard]] bool sees(const View_content &content, std::uint64_t trx_id) noexcept;

// What the calling session's view holds. Its transaction must be one as below.
[[nodiscard]] Result<View_content> own_content(THD *thd);

struct Exported_view {
  Transaction donor;
  const ReadView *view;
  View_content content;
  std::chrono::milliseconds age;  // since it was opened, or up to a second more
};

// Passes if the calling session's transaction is one as below and has read no row yet: else
// bad_snapshot.
[[nodiscard]] Result<void> check_unopened(THD *thd);

// Opens the view of such a transaction.
[[nodiscard]] Result<void> open_view(THD *thd);

// The view of the calling session, which must be in an explicit READ ONLY transaction at REPEATABLE
// READ that wrote and locked no rows: else bad_snapshot. Opens the view if the transaction has read
// no row yet, for which InnoDB takes the trx_sys mutex.
[[nodiscard]] Result<Exported_view> export_view(THD *thd);

// The calling session's transaction, of which the same is required, and whose view is opened
// likewise.
[[nodiscard]] Result<Transaction> begin_reading(THD *thd);

// Gives the view of the calling session, which begin_reading() has passed, the content of the
// exported one. no_such_snapshot if the donor's transaction is over. Holds the trx_sys mutex for as
// long as it takes to compare and write one view; allocates before.
[[nodiscard]] Result<void> adopt_view(THD *thd, const Exported_view &exported);

// The calling session's transaction if its view still has the exported content; else bad_snapshot.
[[nodiscard]] Result<Transaction> find_adopted(THD *thd, const Exported_view &exported);

// How many transactions are prepared and not ended. Takes the trx_sys mutex.
[[nodiscard]] std::uint64_t prepared_transactions();

// How many undo logs purge may have to keep for the view, at most: no more than are kept at all,
// nor than numbers were given to transactions since. Takes no latch.
[[nodiscard]] std::uint64_t pinned_history(const View_content &content) noexcept;

// Whether the transaction is not over. Takes no latch.
[[nodiscard]] bool is_running(const Transaction &transaction) noexcept;

}  // namespace pq

#endif
