#include "planning/leaf_weights.h"

#include <algorithm>

#include "leaf/off_page_values.h"
#include "server/statement_context.h"

namespace pq {

namespace {

// InnoDB's own limit of a value. A damaged row may claim more.
constexpr std::size_t most_value_bytes = std::size_t{4} * 1024 * 1024 * 1024;

}  // namespace

Leaf_weights::Leaf_weights(THD *thd, const Tree &tree,
                           const std::vector<Record_layout::Column> &columns)
    : m_thd(thd),
      m_tree(tree),
      m_format(tree),
      m_layout(tree.index, columns),
      m_cells(columns.size(), 1),
      m_place(tree.index, dict_index_get_n_unique_in_tree(tree.index)) {
  m_layout.describe(m_cells);
}

Result<std::span<const Leaf_row>> Leaf_weights::read(const Saved_key *key) {
  return read_copy([&] { return copy_leaf(key); });
}

Result<std::span<const Leaf_row>> Leaf_weights::read_last(const Saved_key *upper) {
  return read_copy([&] { return copy_last_leaf(upper); });
}

template <class Copy>
Result<std::span<const Leaf_row>> Leaf_weights::read_copy(const Copy &copy) {
  if (auto running = check_interrupted(m_thd); !running) return std::unexpected(running.error());
  m_rows.clear();
  ++m_pages_read;
  if (!copy() || !find_rows()) {
    return fail(Code::unusable_table, "a page of the index is damaged or belongs to another index");
  }
  return m_rows;
}

Result<std::optional<Stored_key>> Leaf_weights::key_inside(const Leaf_row &row,
                                                           const Walk_bounds &inside) {
  auto key = read_key(m_tree.index, row.rec, page() + srv_page_size);
  if (!key) return std::unexpected(key.error());
  m_place.save(std::vector<Field_value>(key->begin(), key->end()));
  const bool is_before = inside.lower != nullptr && m_place.precedes(*inside.lower, m_tree.index);
  const bool is_behind = inside.upper != nullptr && !m_place.precedes(*inside.upper, m_tree.index);
  if (is_before || is_behind) return std::nullopt;
  return std::move(*key);
}

bool Leaf_weights::copy_leaf(const Saved_key *key) noexcept {
  Read_mtr mtr;
  btr_pcur_t cursor;
  if (key == nullptr) {
    cursor.open_at_side(true, m_tree.index, BTR_SEARCH_LEAF, true, 0, mtr.get());
    return copy_page(buf_block_get_frame(cursor.get_block()));
  }
  // A subtree begins at its node pointer, which is the last one not behind the key. The first of
  // keys that begin alike is wanted, which may be the first of the next page.
  const bool whole = key->fields() == dict_index_get_n_unique_in_tree(m_tree.index);
  cursor.open(m_tree.index, 0, key->tuple(), whole ? PAGE_CUR_LE : PAGE_CUR_GE, BTR_SEARCH_LEAF,
              mtr.get(), UT_LOCATION_HERE);
  const page_t *leaf = buf_block_get_frame(cursor.get_block());
  if (!m_format.is_leaf_of_tree(leaf)) return false;
  const page_no_t next = btr_page_get_next(leaf, mtr.get());
  if (whole || next == FIL_NULL || !page_rec_is_supremum(cursor.get_rec())) return copy_page(leaf);
  const buf_block_t *block =
      buf_page_get_gen(page_id_t(m_tree.index->space, next), dict_table_page_size(m_tree.table),
                       RW_S_LATCH, nullptr, Page_fetch::SCAN, UT_LOCATION_HERE, mtr.get());
  return block != nullptr && copy_page(buf_block_get_frame(block));
}

bool Leaf_weights::copy_last_leaf(const Saved_key *upper) noexcept {
  Read_mtr mtr;
  btr_pcur_t cursor;
  if (upper == nullptr) {
    cursor.open_at_side(false, m_tree.index, BTR_SEARCH_LEAF, true, 0, mtr.get());
  } else {
    cursor.open(m_tree.index, 0, upper->tuple(), PAGE_CUR_L, BTR_SEARCH_LEAF, mtr.get(),
                UT_LOCATION_HERE);
  }
  return copy_page(buf_block_get_frame(cursor.get_block()));
}

bool Leaf_weights::copy_page(const page_t *page) noexcept {
  return m_format.is_leaf_of_tree(page) && m_format.copy(page, m_copies.page(0));
}

bool Leaf_weights::find_rows() {
  std::size_t left = m_format.most_records_of_page();
  for (ulint offset = m_format.first_offset(page()); offset != m_format.supremum();
       offset = m_format.next_offset(page(), offset)) {
    if (offset == 0 || left-- == 0) return false;
    const rec_t *rec = page() + offset;
    if (rec_get_deleted_flag(rec, m_format.compact())) continue;
    m_cells.clear_off_page();
    if (m_layout.locate(rec, page() + srv_page_size, 0, m_cells) == Record_layout::damaged) {
      return false;
    }
    const std::size_t off_page =
        std::min(Off_page_values::bytes_of_row(m_cells, 0), most_value_bytes);
    m_rows.push_back({.rec = rec,
                      .bytes = 0,
                      .off_page = static_cast<double>(off_page),
                      .values = static_cast<std::uint32_t>(m_cells.off_page().size())});
  }
  const auto used = static_cast<double>(mach_read_from_2(page() + PAGE_HEADER + PAGE_HEAP_TOP));
  for (Leaf_row &row : m_rows) row.bytes = used / static_cast<double>(m_rows.size());
  return true;
}

}  // namespace pq
