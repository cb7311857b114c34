#include "server/canary.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>

#include "pure/server_version.h"
#include "server/address_probe.h"
#include "server/innodb_guards.h"
#include "server/instruments.h"
#include "server/lock_owner.h"

#ifndef PQ_STAMP_LEX_BYTES_LESS
#define PQ_STAMP_LEX_BYTES_LESS 0
#endif
// For a library of another build of the same release, in tests.
#ifndef PQ_STAMP_SERVER_SUFFIX
#define PQ_STAMP_SERVER_SUFFIX ""
#endif

namespace pq::canary {

namespace {

std::string compare_session(THD *thd) {
  if (thd->thread_id() != thd_get_thread_id(thd)) return "THD::m_thread_id";
  if (thd->mdl_context.get_owner() != thd) return "THD::mdl_context";
  if (static_cast<int>(thd->lex->sql_command) != thd_sql_command(thd)) return "LEX::sql_command";
  if (static_cast<int>(thd->tx_isolation) != thd_tx_isolation(thd)) return "THD::tx_isolation";
  if (thd->tx_read_only != (thd_tx_is_read_only(thd) != 0)) return "THD::tx_read_only";
  if (static_cast<long long>(thd->variables.option_bits) != thd_test_options(thd, -1)) {
    return "System_variables::option_bits";
  }
  if ((thd->locked_tables_mode != LTM_NONE) != (thd_in_lock_tables(thd) != 0)) {
    return "THD::locked_tables_mode";
  }
  return {};
}

// Takes objects of the type for shorter by this many bytes, in a test of a library that does not
// fit.
template <class T>
constexpr std::size_t stamped_bytes_less = 0;
template <>
[[maybe_unused]] constexpr std::size_t stamped_bytes_less<LEX> = PQ_STAMP_LEX_BYTES_LESS;

// Memory as large as this library takes an object to be, between marks.
template <class T>
class Marked_memory final {
 public:
  Marked_memory() : m_bytes(std::make_unique<Bytes>()) { m_bytes->fill(mark); }

  [[nodiscard]] T *object() const { return reinterpret_cast<T *>(m_bytes->data() + margin); }

  // Nothing around the object was written.
  [[nodiscard]] bool is_intact() const {
    const auto is_mark = [](unsigned char one) { return one == mark; };
    return std::all_of(m_bytes->begin(), m_bytes->begin() + margin, is_mark) &&
           std::all_of(m_bytes->begin() + margin + size, m_bytes->end(), is_mark);
  }

 private:
  static constexpr std::size_t size = sizeof(T) - stamped_bytes_less<T>;
  static constexpr std::size_t margin = 4096;
  static constexpr unsigned char mark = 0xA5;
  using Bytes = std::array<unsigned char, margin + sizeof(T) + margin>;

  std::unique_ptr<Bytes> m_bytes;
};

// Constructs and destroys an object by the server's own functions.
template <class T>
bool fits() {
  const Marked_memory<T> memory;
  std::construct_at(memory.object());
  const bool intact = memory.is_intact();
  std::destroy_at(memory.object());
  return intact && memory.is_intact();
}

// Its constructor is this library's own, but what starts and ends it is the server's.
bool fits_mtr() {
  const Marked_memory<mtr_t> memory;
  mtr_t *mtr = std::construct_at(memory.object());
  mtr->start();
  mtr->set_log_mode(MTR_LOG_NO_REDO);
  mtr->commit();
  std::destroy_at(mtr);
  return memory.is_intact();
}

// Its ids are an array that the server's functions fill and this library reads and replaces.
std::string compare_read_view() {
  const Marked_memory<ReadView> memory;
  ReadView *view = std::construct_at(memory.object());
  std::string wrong;
  if (view->m_low_limit_id != 0 || view->m_up_limit_id != 0 || view->m_creator_trx_id != 0 ||
      view->m_low_limit_no != 0) {
    wrong = "ReadView::m_low_limit_id";
  } else if (view->m_ids.m_ptr != nullptr || view->m_ids.m_size != 0 ||
             view->m_ids.m_reserved != 0) {
    wrong = "ReadView::m_ids";
  } else {
    view->m_ids.reserve(4);
    view->m_ids.push_back(5);
    view->m_ids.push_back(7);
    if (view->m_ids.size() != 2 || view->m_ids.m_reserved < 2 || view->m_ids.data()[0] != 5 ||
        view->m_ids.data()[1] != 7) {
      wrong = "ReadView::m_ids";
    }
  }
  // What is not where it is expected can't be destroyed.
  if (!wrong.empty()) return wrong;
  std::destroy_at(view);
  return memory.is_intact() ? "" : "ReadView";
}

std::string compare_request(const MDL_request &request) {
  if (request.type != MDL_SHARED_READ || request.duration != MDL_EXPLICIT) {
    return "MDL_request::type";
  }
  if (request.ticket != nullptr) return "MDL_request::ticket";
  if (request.key.mdl_namespace() != MDL_key::TABLE || request.key.name_length() != 8 ||
      std::strcmp(request.key.name(), "mysql_pq") != 0) {
    return "MDL_request::key";
  }
  return {};
}

std::string compare_ticket(const MDL_context &context, const MDL_ticket *ticket) {
  if (ticket == nullptr) return "MDL_request::ticket";
  if (ticket->get_ctx() != &context || ticket->get_type() != MDL_SHARED_READ) {
    return "MDL_ticket::m_ctx";
  }
  auto listed = context.m_ticket_store.list_iterator(MDL_EXPLICIT);
  if (listed++ != ticket || listed++ != nullptr) return "MDL_context::m_ticket_store";
  return {};
}

std::string compare_copy(MDL_context &context, MDL_ticket *ticket) {
  MDL_request request;
  request.init_by_key_with_source(ticket->get_key(), MDL_SHARED_READ, MDL_TRANSACTION,
                                  instruments::source_name(), 0);
  request.ticket = ticket;
  if (context.clone_ticket(&request)) return "no memory for a copy of a lock";
  auto listed = context.m_ticket_store.list_iterator(MDL_TRANSACTION);
  const bool fits = request.ticket != ticket && listed++ == request.ticket;
  context.release_transactional_locks();
  return fits ? "" : "MDL_context::clone_ticket";
}

// Locks a table that cannot be, which nobody else asks for, in a context of its own.
std::string compare_locks() {
  const Marked_memory<MDL_context> context_memory;
  const Marked_memory<MDL_request> request_memory;
  Lock_owner owner;
  MDL_context *context = std::construct_at(context_memory.object());
  context->init(&owner);
  MDL_request *request = std::construct_at(request_memory.object());
  request->init_with_source(MDL_key::TABLE, "", "mysql_pq", MDL_SHARED_READ, MDL_EXPLICIT,
                            instruments::source_name(), 0);
  std::string wrong = compare_request(*request);
  if (!wrong.empty()) return wrong;
  if (context->try_acquire_lock(request)) {
    context->destroy();
    return "no memory for a lock";
  }
  wrong = compare_ticket(*context, request->ticket);
  // What is not where it is expected can't be given back.
  if (!wrong.empty()) return wrong;
  wrong = compare_copy(*context, request->ticket);
  context->release_lock(request->ticket);
  if (wrong.empty() && context->has_locks()) wrong = "MDL_context::m_ticket_store";
  context->destroy();
  std::destroy_at(context);
  if (wrong.empty() && !context_memory.is_intact()) wrong = "MDL_context";
  if (wrong.empty() && !request_memory.is_intact()) wrong = "MDL_request";
  return wrong;
}

// A view that was opened just now has fewer newer ones: a server has no more sessions.
constexpr int most_newer_views = 100'000;

bool is_listed(const ReadView *own) {
  const Trx_sys_mutex_guard guard;
  const ReadView *view = UT_LIST_GET_FIRST(trx_sys->mvcc->m_views);
  for (int left = most_newer_views; left > 0 && view != nullptr; --left) {
    if (view == own) return true;
    view = UT_LIST_GET_NEXT(m_view_list, view);
  }
  return false;
}

// Asks its neighbours, since it may stand far from both ends.
bool is_listed(const trx_t *own) {
  const Trx_sys_mutex_guard guard;
  const auto &list = trx_sys->mysql_trx_list;
  const trx_t *before = UT_LIST_GET_PREV(mysql_trx_list, own);
  const trx_t *after = UT_LIST_GET_NEXT(mysql_trx_list, own);
  return own == (before == nullptr ? UT_LIST_GET_FIRST(list)
                                   : UT_LIST_GET_NEXT(mysql_trx_list, before)) &&
         own ==
             (after == nullptr ? UT_LIST_GET_LAST(list) : UT_LIST_GET_PREV(mysql_trx_list, after));
}

std::string compare_transaction(THD *thd) {
  const trx_t *trx = check_trx_exists(thd);
  if (trx->magic_n != TRX_MAGIC_N) return "trx_t::magic_n";
  if (trx->mysql_thd != thd) return "trx_t::mysql_thd";
  if (trx != thd_to_trx(thd)) return "thd_to_trx";
  if (!is_listed(trx)) return "trx_sys_t::mysql_trx_list";
  return {};
}

// A table that every server has, with a key known from its source: (database_name, table_name).
std::string check_table(const Address_probe &probe, const dict_table_t *table) {
  if (!probe.is_object(table)) return "dict_sys_t::table_stats";
  if (!probe.is_text(table->name.m_name, "mysql/innodb_table_stats")) return "dict_table_t::name";
  const dict_index_t *index = table->first_index();
  if (!probe.is_object(index) || index->table != table) return "dict_index_t::table";
  if (!probe.is_text(index->name(), "PRIMARY")) return "dict_index_t::name";
  if (!index->is_clustered() || !index->is_committed()) return "dict_index_t::type";
  if (dict_index_get_n_unique_in_tree(index) != 2) return "dict_index_t::n_uniq";
  // The server ends itself where it is asked for a page that a file cannot have.
  if (index->page == FIL_NULL || index->space != table->space ||
      index->space != dict_sys_t::s_dict_space_id) {
    return "dict_index_t::space";
  }
  if (dict_table_page_size(table).physical() != srv_page_size) return "dict_table_t::flags";
  if (!probe.is_readable(index->fields, 2 * sizeof *index->fields) ||
      !probe.is_object(index->fields[1].col)) {
    return "dict_index_t::fields";
  }
  // Names of columns stand behind one another, and this one is the second.
  if (index->fields[1].col->ind != 1 || !probe.is_text(table->col_names, "database_name") ||
      !probe.is_text(table->col_names + sizeof "database_name", "table_name")) {
    return "dict_col_t::ind";
  }
  // Its latch says in which of the server's sources it was made.
  if (!probe.text_at(index->lock.clocation.filename).ends_with("dict0dict.cc")) {
    return "dict_index_t::lock";
  }
  return {};
}

// Whether the latches of a pool's table of pages are where they are expected. Each says in which of
// the server's sources it was made.
bool has_latches(const Address_probe &probe, const hash_table_t *pages) {
  const std::size_t latches = pages->n_sync_obj;
  if (latches == 0 || (latches & (latches - 1)) != 0 || latches > MAX_PAGE_HASH_LOCKS ||
      !probe.is_readable(pages->rw_locks, latches * sizeof *pages->rw_locks)) {
    return false;
  }
  return probe.text_at(pages->rw_locks[latches - 1].clocation.filename).ends_with("hash0hash.cc");
}

std::string check_pools(const Address_probe &probe) {
  for (ulint i = 0; i < srv_buf_pool_instances; ++i) {
    const buf_pool_t *pool = &buf_pool_ptr[i];
    if (!probe.is_object(pool) || pool->instance_no != i) return "buf_pool_t::instance_no";
    if (!probe.is_object(pool->page_hash)) return "buf_pool_t::page_hash";
    if (!has_latches(probe, pool->page_hash)) return "hash_table_t::rw_locks";
  }
  return {};
}

// The log goes on while it is looked at.
constexpr lsn_t most_unwritten_buffers = 64;

// The root page of the index is where its block says, behind the block's latch, and the pool finds
// it while it is held.
std::string check_root(const Address_probe &probe, const dict_index_t *index) {
  Read_mtr mtr;
  const page_id_t root(index->space, index->page);
  const buf_block_t *block =
      buf_page_get_gen(root, dict_table_page_size(index->table), RW_S_LATCH, nullptr,
                       Page_fetch::NORMAL, UT_LOCATION_HERE, mtr.get());
  if (!probe.is_object(block) || !(block->page.id == root)) return "buf_page_t::id";
  if (!probe.is_readable(block->frame, UNIV_PAGE_SIZE_MIN) ||
      mach_read_from_4(block->frame + FIL_PAGE_OFFSET) != index->page ||
      btr_page_get_index_id(block->frame) != index->id) {
    return "buf_block_t::frame";
  }
  // The log's end is not far beyond what was written of it, and no page is beyond the end.
  const lsn_t written = log_sys->write_lsn.load();
  const lsn_t end = log_get_lsn(*log_sys);
  if (end < written || end - written > most_unwritten_buffers * log_sys->buf_size) {
    return "log_t::sn";
  }
  const buf_page_t &page = block->page;
  if (page.get_newest_lsn() > end || page.get_oldest_lsn() > page.get_newest_lsn() ||
      mach_read_from_8(block->frame + FIL_PAGE_LSN) > end) {
    return "buf_page_t::newest_modification";
  }
  return buf_page_peek(root) ? "" : "buf_pool_t";
}

}  // namespace

std::string check_version() {
  const std::string built_for = std::string(version_in_headers) + PQ_STAMP_SERVER_SUFFIX;
  if (is_built_for(built_for, version_of_server())) return {};
  return "this build is for MySQL " + built_for + ", and the server is " + version_of_server();
}

std::string check_sizes() {
  if (!has_size_of_symbol(global_system_variables)) return "System_variables";
  if (!has_size_of_symbol(table_cache_manager)) return "Table_cache_manager";
  if (!has_size_of_symbol(srv_stats)) return "srv_stats_t";
  if (!has_size_of_symbol(global_aggregated_stats)) return "aggregated_stats";
  if (!has_size_of_symbol(mtr_t::s_logging)) return "mtr_t::Logging";
  if (!has_size_of_symbol(LOCK_open)) return "mysql_mutex_t";
  if (!has_size_of_symbol(rw_lock_list_mutex)) return "ib_mutex_t";
  return {};
}

std::string check_storage() {
  const Address_probe probe;
  if (!probe.works()) return "it cannot look: the process can make no pipe, or not use it";
  if (!probe.is_object(dict_sys)) return "dict_sys_t";
  const dict_table_t *table = dict_sys->table_stats;
  if (const std::string wrong = check_table(probe, table); !wrong.empty()) return wrong;
  if (const std::string wrong = check_pools(probe); !wrong.empty()) return wrong;
  if (const std::string wrong = check_root(probe, table->first_index()); !wrong.empty()) {
    return wrong;
  }
  const auto *mutex = &trx_sys->mutex;
  const bool fits = probe.is_object(mutex) && mutex->policy().get_id() == LATCH_ID_TRX_SYS;
  return fits ? "" : "trx_sys_t::mutex";
}

std::string check_objects() {
  if (!fits<LEX>()) return "LEX";
  if (!fits<Open_tables_backup>()) return "Open_tables_backup";
  if (!fits_mtr()) return "mtr_t";
  if (const std::string wrong = compare_read_view(); !wrong.empty()) return wrong;
  return compare_locks();
}

std::string check_views() {
  trx_t *trx = trx_allocate_for_background();
  // Its last member.
  if (trx->magic_n != TRX_MAGIC_N) return "trx_t::magic_n";
  ReadView *view = nullptr;
  trx_sys->mvcc->view_open(view, trx);
  const ReadView *own = view;
  const bool was_open = !is_closed(own);
  const bool was_listed = is_listed(own);
  // First as at the end of a statement, which marks it; then for good.
  trx_sys->mvcc->view_close(view, false);
  const bool is_marked = is_closed(own);
  {
    const Trx_sys_mutex_guard guard;
    trx_sys->mvcc->view_close(view, true);
  }
  trx_free_for_background(trx);
  if (!was_listed) return "MVCC::m_views";
  return was_open && is_marked ? "" : "ReadView::m_closed";
}

std::string check_session(THD *thd) {
  static std::atomic<bool> agreed{false};
  if (agreed) return {};
  std::string wrong = compare_session(thd);
  if (wrong.empty()) wrong = compare_transaction(thd);
  agreed = wrong.empty();
  return wrong;
}

}  // namespace pq::canary
