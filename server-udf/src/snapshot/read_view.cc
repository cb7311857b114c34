#include "snapshot/read_view.h"

#include <atomic>

#include "server/innodb_guards.h"
#include "sql/xa.h"

namespace pq {

namespace {

// Memory as a read view's own, so that either can free it. Never less than the view had, which is
// what it counts on when it is opened next, under the mutex.
class Id_array final {
 public:
  Id_array(std::size_t size, const ReadView *replaced)
      : m_reserved(std::max<ulint>(size, replaced->m_ids.m_reserved)),
        m_ids(ut::new_arr_withkey<trx_id_t>(UT_NEW_THIS_FILE_PSI_KEY,
                                            ut::Count{std::max<ulint>(m_reserved, 1)})) {}
  ~Id_array() { ut::delete_arr(m_ids); }
  Id_array(const Id_array &) = delete;
  Id_array &operator=(const Id_array &) = delete;

  void fill(const std::vector<std::uint64_t> &ids) { std::ranges::copy(ids, m_ids); }

  // The view's old array is freed with this object, after the mutex.
  void swap_into(ReadView *view, std::size_t size) noexcept {
    std::swap(view->m_ids.m_ptr, m_ids);
    std::swap(view->m_ids.m_reserved, m_reserved);
    view->m_ids.m_size = size;
  }

 private:
  ulint m_reserved;
  trx_id_t *m_ids;
};

View_content content_of(const ReadView *view) {
  const trx_id_t *ids = view->m_ids.data();
  return {view->m_low_limit_id, view->m_up_limit_id, view->m_low_limit_no,
          std::vector<std::uint64_t>(ids, ids + view->m_ids.size())};
}

bool has_content(const ReadView *view, const View_content &content) noexcept {
  return view->m_low_limit_id == content.low_limit_id &&
         view->m_up_limit_id == content.up_limit_id &&
         view->m_low_limit_no == content.low_limit_no && view->m_ids.size() == content.ids.size() &&
         std::equal(content.ids.begin(), content.ids.end(), view->m_ids.data());
}

bool is_in_explicit_transaction(THD *thd) {
  return (thd->variables.option_bits & OPTION_BEGIN) != 0 && thd->tx_read_only &&
         thd->tx_isolation == ISO_REPEATABLE_READ &&
         thd->get_transaction()->xid_state()->has_state(XID_STATE::XA_NOTR);
}

std::unexpected<Error> not_a_reader() {
  return fail(
      Code::bad_snapshot,
      "the session must be in a transaction of START TRANSACTION READ ONLY at REPEATABLE READ "
      "that has not written or locked rows");
}

bool reads_only(const trx_t *trx) {
  return trx->state.load() == TRX_STATE_ACTIVE && trx->read_only && trx->id == 0 &&
         !trx->auto_commit && trx->isolation_level == TRX_ISO_REPEATABLE_READ;
}

// The transaction of the calling session, which alone changes it.
Result<trx_t *> find_transaction(THD *thd) {
  trx_t *trx = is_in_explicit_transaction(thd) ? thd_to_trx(thd) : nullptr;
  if (trx == nullptr || !reads_only(trx) || !MVCC::is_view_active(trx->read_view) ||
      is_closed(trx->read_view) || trx->read_view->m_creator_trx_id != 0) {
    return not_a_reader();
  }
  return trx;
}

// InnoDB notes the second in which a transaction began. Its view was opened then or later.
std::chrono::milliseconds age_of(const trx_t *trx) {
  const auto since = std::chrono::system_clock::now() - trx->start_time.load();
  return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(since),
                  std::chrono::milliseconds(0));
}

bool is_begun(THD *thd) {
  const trx_t *trx = thd_to_trx(thd);
  return trx != nullptr && trx_is_started(trx);
}

// Begins InnoDB's part of a transaction in which no row was read yet: what WITH CONSISTENT SNAPSHOT
// would have done at its START.
Result<trx_t *> begin_transaction(THD *thd) {
  if (is_in_explicit_transaction(thd) && !is_begun(thd) &&
      innodb_hton->start_consistent_snapshot(innodb_hton, thd) != 0) {
    return fail(Code::reported, "no consistent snapshot");
  }
  return find_transaction(thd);
}

// The view that the transaction holds, marked if it is closed. Its session closes it without the
// mutex.
const ReadView *view_of(const trx_t *trx) noexcept {
  return std::atomic_ref(const_cast<ReadView *&>(trx->read_view)).load();
}

// Whether the donor's transaction still holds its view open; under the trx_sys mutex. Views are
// given to other transactions only under it, after their owner has dropped them; so a view that the
// donor still holds is in the list. The order of the last two checks matters: a session that ended
// its transaction and begins another briefly marks its old view open while it decides whether to
// use it again, but it has raised the version before that (docs/decisions/shared-snapshot.md).
bool is_open(const Exported_view &exported) noexcept {
  if (view_of(exported.donor.trx) != exported.view) return false;
  if (is_closed(exported.view)) return false;
  return is_running(exported.donor) && has_content(exported.view, exported.content);
}

// False if the donor's transaction is over. All that allocates is done before or after.
bool replace_content(ReadView *own, const Exported_view &exported, Id_array &ids) noexcept {
  const Trx_sys_mutex_guard mutex;
  if (!is_open(exported)) return false;
  auto *donor = const_cast<ReadView *>(exported.view);
  if (donor == own) return true;
  // Purge follows the list under this mutex, from the oldest view on. The donor's has been open
  // since it was made, so purge is not beyond it; right behind it, with its content, ours is as
  // old.
  UT_LIST_REMOVE(trx_sys->mvcc->m_views, own);
  own->m_low_limit_id = exported.content.low_limit_id;
  own->m_up_limit_id = exported.content.up_limit_id;
  own->m_low_limit_no = exported.content.low_limit_no;
  ids.swap_into(own, exported.content.ids.size());
  UT_LIST_INSERT_AFTER(trx_sys->mvcc->m_views, donor, own);
  return true;
}

std::unexpected<Error> donor_ended() {
  return fail(Code::no_such_snapshot, "the transaction that exported the snapshot is over");
}

}  // namespace

bool sees(const View_content &content, std::uint64_t trx_id) noexcept {
  return trx_id < content.low_limit_id && !std::ranges::binary_search(content.ids, trx_id);
}

Result<View_content> own_content(THD *thd) {
  const auto trx = find_transaction(thd);
  if (!trx) return std::unexpected(trx.error());
  return content_of((*trx)->read_view);
}

Result<void> check_unopened(THD *thd) {
  if (!is_in_explicit_transaction(thd)) return not_a_reader();
  if (is_begun(thd)) {
    return fail(Code::bad_snapshot, "the session's transaction has opened its snapshot already");
  }
  return {};
}

Result<void> open_view(THD *thd) {
  if (auto unopened = check_unopened(thd); !unopened) return unopened;
  if (auto trx = begin_transaction(thd); !trx) return std::unexpected(trx.error());
  return {};
}

Result<Exported_view> export_view(THD *thd) {
  const bool was_begun = is_begun(thd);
  const auto trx = begin_transaction(thd);
  if (!trx) return std::unexpected(trx.error());
  const ReadView *view = (*trx)->read_view;
  const auto age = was_begun ? age_of(*trx) : std::chrono::milliseconds(0);
  return Exported_view{{*trx, (*trx)->version.load()}, view, content_of(view), age};
}

Result<Transaction> begin_reading(THD *thd) {
  const auto trx = begin_transaction(thd);
  if (!trx) return std::unexpected(trx.error());
  return Transaction{*trx, (*trx)->version.load()};
}

Result<void> adopt_view(THD *thd, const Exported_view &exported) {
  const auto trx = find_transaction(thd);
  if (!trx) return std::unexpected(trx.error());
  ReadView *own = (*trx)->read_view;
  Id_array ids(exported.content.ids.size(), own);
  ids.fill(exported.content.ids);
  if (!replace_content(own, exported, ids)) return donor_ended();
  return {};
}

Result<Transaction> find_adopted(THD *thd, const Exported_view &exported) {
  const auto trx = find_transaction(thd);
  if (!trx) return std::unexpected(trx.error());
  if (!has_content((*trx)->read_view, exported.content)) {
    return fail(Code::bad_snapshot, "the session reads in another snapshot");
  }
  return Transaction{*trx, (*trx)->version.load()};
}

std::uint64_t prepared_transactions() {
  const Trx_sys_mutex_guard mutex;
  return trx_sys->n_prepared_trx;
}

std::uint64_t pinned_history(const View_content &content) noexcept {
  const std::uint64_t since = trx_sys_get_next_trx_id_or_no() - content.low_limit_no;
  return std::min(since, trx_sys->rseg_history_len.load());
}

bool is_running(const Transaction &transaction) noexcept {
  return transaction.trx->version.load() == transaction.version;
}

}  // namespace pq
