#include "leaf/leaf_page.h"

#include <cstring>

namespace pq {

namespace {

constexpr ulint key_heap_bytes = 1024;

// No entry of a secondary index takes less than its header and one byte of key. A row also has the
// transaction and the undo record that wrote it.
constexpr std::size_t least_entry_bytes = REC_N_NEW_EXTRA_BYTES + 1;
constexpr std::size_t least_row_bytes = least_entry_bytes + DATA_TRX_ID_LEN + DATA_ROLL_PTR_LEN;

}  // namespace

Page_copies::Page_copies() : m_memory(std::make_unique<byte[]>(bytes())) {
  const auto begin =
      reinterpret_cast<std::uintptr_t>(m_memory.get()) + Record_layout::most_extra_bytes;
  const std::uintptr_t size = srv_page_size;
  m_first = reinterpret_cast<byte *>((begin + size - 1) / size * size);
}

std::size_t Page_copies::bytes() {
  return (pages + 1) * srv_page_size + 2 * Record_layout::most_extra_bytes;
}

bool Leaf_format::copy(const page_t *page, byte *to) const noexcept {
  const ulint used = mach_read_from_2(page + PAGE_HEADER + PAGE_HEAP_TOP);
  if (used <= m_supremum || used > srv_page_size - FIL_PAGE_DATA_END) return false;
  std::memcpy(to, page, used);
  return true;
}

std::size_t Leaf_format::most_records_of_page() const noexcept {
  return m_clustered ? most_rows_of_page() : srv_page_size / least_entry_bytes;
}

std::size_t Leaf_format::most_rows_of_page() noexcept { return srv_page_size / least_row_bytes; }

buf_block_t *latch_next_leaf(const Tree &tree, const Leaf_format &format, buf_block_t *leaf,
                             Read_mtr &mtr, Page_fetch fetch) noexcept {
  const page_id_t id(tree.index->space, btr_page_get_next(buf_block_get_frame(leaf), mtr.get()));
  buf_block_t *next = buf_page_get_gen(id, dict_table_page_size(tree.table), RW_S_LATCH, nullptr,
                                       fetch, UT_LOCATION_HERE, mtr.get());
  if (next == nullptr || !format.is_leaf_of_tree(buf_block_get_frame(next))) return nullptr;
  if (btr_page_get_prev(buf_block_get_frame(next), mtr.get()) != leaf->page.id.page_no()) {
    return nullptr;
  }
  btr_leaf_page_release(leaf, BTR_SEARCH_LEAF, mtr.get());
  return next;
}

Result<Stored_key> read_key(const dict_index_t *index, const rec_t *rec, const byte *limit) {
  Heap heap(key_heap_bytes);
  mem_heap_t *memory = heap.get();
  const ulint fields = dict_index_get_n_unique_in_tree(index);
  const ulint *offsets = rec_get_offsets(rec, index, nullptr, fields, UT_LOCATION_HERE, &memory);
  const std::size_t bytes = rec_offs_data_size(offsets);
  if (bytes > static_cast<std::size_t>(limit - rec) || bytes > srv_page_size) {
    return fail(Code::unusable_table, "a record of the index is damaged");
  }
  Stored_key key;
  for (ulint i = 0; i < fields; ++i) {
    ulint size = 0;
    const byte *value = rec_get_nth_field(index, rec, offsets, i, &size);
    key.emplace_back();
    if (size != UNIV_SQL_NULL) key.back().emplace(reinterpret_cast<const char *>(value), size);
  }
  return key;
}

}  // namespace pq
