// Stands in for what the measured code needs of mysqld. What only a real page, an old version or a
// lock would lead to ends the process.

#include <cstdio>
#include <cstdlib>

#include "server/innodb_guards.h"
#include "server/settings.h"

ulong srv_page_size = UNIV_PAGE_SIZE_DEF;
ulong srv_page_size_shift = UNIV_PAGE_SIZE_SHIFT_DEF;

namespace {

[[noreturn]] void must_not_be_called(const char *what) {
  std::fprintf(stderr, "a benchmark called %s, which needs a server\n", what);
  std::abort();
}

// A view that sees what any transaction of a synthetic page wrote.
ReadView *view() {
  alignas(ReadView) static unsigned char memory[sizeof(ReadView)]{};
  auto *view = reinterpret_cast<ReadView *>(memory);
  view->m_up_limit_id = UINT64_MAX;
  return view;
}

}  // namespace

trx_t *&thd_to_trx(THD *) {
  alignas(trx_t) static unsigned char memory[sizeof(trx_t)]{};
  static trx_t *trx = reinterpret_cast<trx_t *>(memory);
  trx->read_view = view();
  return trx;
}

ulint dict_index_t::get_sys_col_pos(ulint what) const {
  return n_uniq + (what == DATA_TRX_ID ? 0 : 1);
}

mem_block_t *mem_heap_create_block(mem_heap_t *, ulint bytes, ulint type) {
  const ulint length = MEM_BLOCK_HEADER_SIZE + MEM_SPACE_NEEDED(bytes);
  auto *block = static_cast<mem_block_t *>(std::calloc(1, length));
  if (block == nullptr) std::abort();
  mem_block_set_len(block, length);
  mem_block_set_type(block, type);
  mem_block_set_free(block, MEM_BLOCK_HEADER_SIZE);
  mem_block_set_start(block, MEM_BLOCK_HEADER_SIZE);
  return block;
}

void mem_heap_block_free(mem_heap_t *, mem_block_t *block) { std::free(block); }
void mem_heap_free_block_free(mem_heap_t *) {}

mem_block_t *mem_heap_add_block(mem_heap_t *, ulint) { must_not_be_called("mem_heap_add_block"); }

// A key that the scan would go on at.
void dict_index_copy_types(dtuple_t *, const dict_index_t *, ulint) {}

void mtr_t::start(bool) {}
void mtr_t::commit() {}
void mtr_t::check_nolog_and_unmark() {}
mtr_log_t mtr_t::set_log_mode(mtr_log_t mode) { return mode; }

ulint *rec_get_offsets(const rec_t *, const dict_index_t *, ulint *, ulint, ut::Location,
                       mem_heap_t **) {
  must_not_be_called("rec_get_offsets");
}

void ReadView::check_trx_id_sanity(trx_id_t, const table_name_t &) {}

// What strings of the server's dictionary use, which its headers bring along.
void My_free_functor::operator()(void *memory, size_t) const { std::free(memory); }
void *dd::String_type_alloc::operator()(size_t bytes) const { return std::malloc(bytes); }

namespace pq::settings {

unsigned long long max_row_versions() { return 0; }

}  // namespace pq::settings
