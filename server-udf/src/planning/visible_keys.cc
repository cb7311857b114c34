#include "planning/visible_keys.h"

#include <array>

#include "server/statement_context.h"

namespace pq {

namespace {

constexpr ulint entry_heap_bytes = 1024;

// These limits are for one key. A step takes 0.2 to 2 us, and at worst reads a page from disk,
// under the latch on the row's page.
constexpr std::uint32_t most_versions_built = 8;
constexpr std::uint64_t most_steps = 16;

}  // namespace

Visible_keys::Visible_keys(THD *thd, const Tree &tree)
    : m_thd(thd),
      m_tree(tree),
      m_format(tree),
      m_visibility(thd),
      m_key_fields(dict_index_get_n_unique_in_tree(tree.index)),
      m_versions(thd, tree.table->first_index()),
      m_key(tree.index, m_key_fields),
      m_offsets(entry_heap_bytes),
      m_old_rows(entry_heap_bytes),
      m_references(entry_heap_bytes) {}

Result<std::optional<Stored_key>> Visible_keys::first(const Saved_key &from,
                                                      const Saved_key *before) {
  Saved_key start(m_tree.index, m_key_fields);
  const dtuple_t *place = from.tuple();
  bool beyond = false;
  m_leaves_left = most_leaves - 1;
  m_versions_built = 0;
  for (std::uint32_t fetched = 0; fetched <= most_rows_fetched; ++fetched) {
    if (auto running = check_interrupted(m_thd); !running) return std::unexpected(running.error());
    Look look = look_from(place, beyond, before);
    if (look == Look::doubtful) look = fetch_row();
    switch (look) {
      case Look::found:
        return key();
      case Look::none:
        return std::nullopt;
      case Look::corrupted:
        return fail(Code::unusable_table,
                    "a page of the index is damaged or belongs to another index");
      case Look::doubtful:
      case Look::pass:
      case Look::interrupted:
        break;
    }
    if (look == Look::interrupted) continue;
    if (m_all_rows_left == 0) return std::nullopt;
    --m_all_rows_left;
    const Stored_key last = key();
    start.save(std::vector<Field_value>(last.begin(), last.end()));
    place = start.tuple();
    beyond = true;
  }
  return std::nullopt;
}

Visible_keys::Look Visible_keys::look_from(const dtuple_t *start, bool beyond,
                                           const Saved_key *before) noexcept {
  Read_mtr mtr;
  btr_pcur_t cursor;
  // A whole key is most often that of a node pointer, whose leaf begins with it. A search for what
  // is not before the key would come from the leaf before.
  const bool whole = dtuple_get_n_fields(start) == m_key_fields;
  const page_cur_mode_t mode = whole ? PAGE_CUR_LE : PAGE_CUR_GE;
  cursor.open(m_tree.index, 0, start, mode, BTR_SEARCH_LEAF, mtr.get(), UT_LOCATION_HERE);
  buf_block_t *leaf = cursor.get_block();
  if (!m_format.is_leaf_of_tree(buf_block_get_frame(leaf))) return Look::corrupted;
  ulint first = page_offset(cursor.get_rec());
  const bool is_at_key = whole && cursor.get_low_match() == m_key_fields && !beyond;
  if (page_rec_is_infimum(cursor.get_rec()) || (whole && !is_at_key)) {
    first = m_format.next_offset(buf_block_get_frame(leaf), first);
  }
  for (;;) {
    const page_t *page = buf_block_get_frame(leaf);
    ++m_pages_read;
    const Look look = look_at_page(page, first, before, mtr);
    if (look != Look::pass) return look;
    if (btr_page_get_next(page, mtr.get()) == FIL_NULL || !may_go_on()) return Look::none;
    leaf = latch_next_leaf(m_tree, m_format, leaf, mtr);
    if (leaf == nullptr) return Look::corrupted;
    first = m_format.first_offset(buf_block_get_frame(leaf));
  }
}

bool Visible_keys::may_go_on() noexcept {
  if (m_leaves_left == 0 || m_all_leaves_left == 0) return false;
  --m_leaves_left;
  --m_all_leaves_left;
  return true;
}

Visible_keys::Look Visible_keys::look_at_page(const page_t *page, ulint first,
                                              const Saved_key *before, Read_mtr &mtr) noexcept {
  std::size_t left = m_format.most_records_of_page();
  for (ulint offset = first; offset != m_format.supremum();
       offset = m_format.next_offset(page, offset)) {
    if (offset == 0 || left-- == 0) return Look::corrupted;
    const Look look = look_at(page, page + offset, before, mtr);
    if (look != Look::pass) return look;
  }
  return Look::pass;
}

Visible_keys::Look Visible_keys::look_at(const page_t *page, const rec_t *rec,
                                         const Saved_key *before, Read_mtr &mtr) noexcept {
  mem_heap_t *heap = m_offsets.get();
  mem_heap_empty(heap);
  const bool is_row = m_tree.index->is_clustered();
  // The writer of a row and its undo record, which stand behind the key, are read too.
  const ulint fields =
      is_row ? m_tree.index->get_sys_col_pos(DATA_ROLL_PTR) + 1 : ulint{m_key_fields};
  const ulint *offsets =
      rec_get_offsets(rec, m_tree.index, nullptr, fields, UT_LOCATION_HERE, &heap);
  if (rec_offs_data_size(offsets) > static_cast<std::size_t>(page + srv_page_size - rec)) {
    return Look::corrupted;
  }
  if (before != nullptr && before->tuple()->compare(rec, m_tree.index, offsets) <= 0) {
    return Look::none;
  }
  m_seen = nullptr;
  const Look look = is_row ? look_at_row(rec, offsets, mtr) : look_at_entry(page, rec);
  if (look == Look::found && m_seen != nullptr) {
    // Its key may have other bytes than the newest one's, which the collation takes for equal.
    save(m_seen, rec_get_offsets(m_seen, m_tree.index, nullptr, fields, UT_LOCATION_HERE, &heap));
  } else if (look == Look::found || look == Look::doubtful) {
    save(rec, offsets);
  }
  return look;
}

Visible_keys::Look Visible_keys::look_at_row(const rec_t *rec, const ulint *offsets,
                                             Read_mtr &mtr) noexcept {
  const trx_id_t writer = row_get_rec_trx_id(rec, m_tree.index, offsets);
  if (m_visibility.sees(writer, m_tree.table)) {
    return is_deleted(rec) ? Look::pass : Look::found;
  }
  if (++m_versions_built > most_versions_built) return Look::none;
  mem_heap_empty(m_old_rows.get());
  const auto version = m_versions.find(rec, mtr, most_steps, m_old_rows, sees_others_than(writer));
  if (version.end == Row_versions::End::interrupted) return Look::interrupted;
  if (version.rec == nullptr || is_deleted(version.rec)) return Look::pass;
  m_seen = version.rec;
  return Look::found;
}

// An entry does not tell who wrote it; its page tells the last one who wrote there.
Visible_keys::Look Visible_keys::look_at_entry(const page_t *page, const rec_t *rec) noexcept {
  if (m_visibility.sees_all_until(page_get_max_trx_id(page))) {
    return is_deleted(rec) ? Look::pass : Look::found;
  }
  mem_heap_empty(m_references.get());
  m_reference = row_build_row_ref(ROW_COPY_DATA, m_tree.index, rec, m_references.get());
  return Look::doubtful;
}

// Whether the session sees a version of the doubtful entry's row that has the very same entry.
Visible_keys::Look Visible_keys::fetch_row() noexcept {
  dict_index_t *index = clustered();
  Read_mtr mtr;
  btr_pcur_t cursor;
  cursor.open(index, 0, m_reference, PAGE_CUR_LE, BTR_SEARCH_LEAF, mtr.get(), UT_LOCATION_HERE);
  ++m_pages_read;
  const rec_t *rec = cursor.get_rec();
  if (!page_rec_is_user_rec(rec)) return Look::pass;
  mem_heap_t *heap = m_offsets.get();
  mem_heap_empty(heap);
  const ulint *offsets =
      rec_get_offsets(rec, index, nullptr, ULINT_UNDEFINED, UT_LOCATION_HERE, &heap);
  if (m_reference->compare(rec, index, offsets) != 0) return Look::pass;
  const trx_id_t writer = row_get_rec_trx_id(rec, index, offsets);
  if (!m_visibility.sees(writer, m_tree.table)) {
    mem_heap_empty(m_old_rows.get());
    const auto version =
        m_versions.find(rec, mtr, most_steps, m_old_rows, sees_others_than(writer));
    if (version.end == Row_versions::End::interrupted) return Look::interrupted;
    if (version.rec == nullptr) return Look::pass;
    rec = version.rec;
  }
  return !is_deleted(rec) && has_entry(rec) ? Look::found : Look::pass;
}

// Byte for byte: values that a collation takes for equal may still tell something.
bool Visible_keys::has_entry(const rec_t *row) noexcept {
  // The row has no values of virtual columns, and reads those off-page from pages of their own.
  if (dict_index_has_virtual(m_tree.index)) return false;
  mem_heap_t *heap = m_references.get();
  const ulint *offsets =
      rec_get_offsets(row, clustered(), nullptr, ULINT_UNDEFINED, UT_LOCATION_HERE, &heap);
  if (rec_offs_any_extern(offsets)) return false;
  row_ext_t *off_page = nullptr;
  const dtuple_t *values = row_build(ROW_COPY_POINTERS, clustered(), row, offsets, m_tree.table,
                                     nullptr, nullptr, &off_page, heap);
  const dtuple_t *entry = row_build_index_entry(values, off_page, m_tree.index, heap);
  if (entry == nullptr) return false;
  for (std::size_t i = 0; i < m_key_fields; ++i) {
    if (!dfield_datas_are_binary_equal(dtuple_get_nth_field(entry, i),
                                       dtuple_get_nth_field(m_key.tuple(), i), 0)) {
      return false;
    }
  }
  return true;
}

void Visible_keys::save(const rec_t *rec, const ulint *offsets) noexcept {
  std::array<Field_value, max_physical_key_parts> values;
  for (std::size_t i = 0; i < m_key_fields; ++i) {
    ulint size = 0;
    const byte *value = rec_get_nth_field(m_tree.index, rec, offsets, i, &size);
    if (size != UNIV_SQL_NULL) {
      values[i] = std::string_view(reinterpret_cast<const char *>(value), size);
    }
  }
  m_key.save(std::span(values).first(m_key_fields));
}

Stored_key Visible_keys::key() const {
  Stored_key key;
  for (std::size_t i = 0; i < m_key_fields; ++i) {
    const dfield_t *field = dtuple_get_nth_field(m_key.tuple(), i);
    key.emplace_back();
    if (dfield_is_null(field)) continue;
    key.back().emplace(static_cast<const char *>(dfield_get_data(field)), dfield_get_len(field));
  }
  return key;
}

}  // namespace pq
