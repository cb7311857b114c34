#include "scan/leaf_scan.h"

#include <algorithm>
#include <thread>

#include "pure/utf8.h"
#include "server/settings.h"
#include "server/statement_context.h"

namespace pq {

namespace {

constexpr ulint heap_bytes = 1024;

// After this many records whose old versions were built, this many steps or this much memory, the
// latch on the page is let go. A step takes 0.2 to 2 us. The last record may take
// mysql_pq_max_row_versions steps more.
constexpr std::uint32_t most_versions_per_hold = 32;
constexpr std::uint64_t most_steps_per_hold = 1024;
constexpr ulint most_version_bytes_per_hold = 128 * 1024;

}  // namespace

Leaf_scan::Leaf_scan(THD *thd, const Tree &tree, const Record_layout &layout, const Upper &upper,
                     const Page_copies &copies, Leaf_readahead &readahead)
    : m_thd(thd),
      m_tree(tree),
      m_layout(layout),
      m_upper(upper),
      m_copies(copies),
      m_readahead(readahead),
      m_view(thd_to_trx(thd)->read_view),
      m_format(tree),
      m_resume(tree.index, dict_index_get_n_unique_in_tree(tree.index)),
      m_most_versions(settings::max_row_versions()),
      m_offsets(heap_bytes),
      m_versions(thd, tree.index),
      m_old_records(heap_bytes),
      m_records(std::make_unique_for_overwrite<const rec_t *[]>(
          Page_copies::pages * Leaf_format::most_rows_of_page())) {}

std::size_t Leaf_scan::bytes() {
  return Page_copies::pages * Leaf_format::most_rows_of_page() * sizeof(rec_t *) +
         most_version_bytes_per_hold + 2 * srv_page_size;
}

void Leaf_scan::seek(const Saved_key *key, bool beyond) {
  m_start = key;
  m_beyond = beyond;
  m_ended = false;
}

Result<std::span<const rec_t *const>> Leaf_scan::read(std::uint32_t rows_wanted) {
  m_found = 0;
  while (m_found == 0 && !m_ended) {
    if (auto running = check_interrupted(m_thd); !running) return std::unexpected(running.error());
    // What others wait for is short, and goes first.
    std::this_thread::yield();
    auto ahead = m_readahead.run(m_thd, m_tree, m_start, m_upper.key);
    if (!ahead) return std::unexpected(ahead.error());
    mem_heap_empty(m_old_records.get());
    m_versions_built = 0;
    m_steps = 0;
    m_last = nullptr;
    const std::uint64_t pages_before = m_pages_read;
    m_pages_absent = 0;
    const Outcome outcome = read_pages(rows_wanted);
    m_readahead.count_read(static_cast<std::uint32_t>(m_pages_read - pages_before), m_pages_absent);
    if (auto good = check(outcome); !good) return std::unexpected(good.error());
    if (outcome == Outcome::interrupted) {
      // Switched on again meanwhile: what was read is read again.
      m_found = 0;
      m_ended = false;
      continue;
    }
    if (m_ended) break;
    if (m_last == nullptr) return fail(Code::unusable_table, "a leaf page of the index is empty");
    if (auto resumed = resume_after(m_last); !resumed) return std::unexpected(resumed.error());
  }
  return std::span<const rec_t *const>(m_records.get(), m_found);
}

Result<void> Leaf_scan::check(Outcome outcome) const {
  switch (outcome) {
    case Outcome::good:
    case Outcome::paused:
      return {};
    case Outcome::interrupted:
      return check_interrupted(m_thd);
    case Outcome::corrupted:
      return fail(Code::unusable_table,
                  "a page of the index is damaged or belongs to another index");
    case Outcome::no_history:
      return fail(Code::bad_snapshot, "MySQL no longer has the rows of the snapshot");
    case Outcome::history_too_long:
      ++counters.history_too_long;
      return fail(
          Code::history_too_long,
          "a row of table '" + printable(m_tree.table->name.m_name) +
              "' has more than mysql_pq_max_row_versions = " + std::to_string(m_most_versions) +
              " versions since the snapshot: read in a newer snapshot, or raise it");
  }
  return {};
}

Result<void> Leaf_scan::resume_after(const rec_t *rec) {
  const auto key = key_of(rec);
  if (!key) return std::unexpected(key.error());
  m_resume.save(std::vector<Field_value>(key->begin(), key->end()));
  m_start = &m_resume;
  m_beyond = true;
  return {};
}

// Raises nothing: that has to wait until no latch is held.
Leaf_scan::Outcome Leaf_scan::check_running() const noexcept {
  return m_thd->is_killed() || !settings::enabled() ? Outcome::interrupted : Outcome::good;
}

Leaf_scan::Outcome Leaf_scan::read_pages(std::uint32_t rows_wanted) noexcept {
  Read_mtr mtr;
  btr_pcur_t cursor;
  if (m_start == nullptr) {
    cursor.open_at_side(true, m_tree.index, BTR_SEARCH_LEAF, true, 0, mtr.get());
  } else {
    cursor.open(m_tree.index, 0, m_start->tuple(), m_beyond ? PAGE_CUR_G : PAGE_CUR_GE,
                BTR_SEARCH_LEAF, mtr.get(), UT_LOCATION_HERE);
  }
  if (!m_format.is_leaf_of_tree(buf_block_get_frame(cursor.get_block()))) return Outcome::corrupted;
  ulint first = page_offset(cursor.get_rec());
  if (page_rec_is_infimum(cursor.get_rec())) {
    first = m_format.first_offset(buf_block_get_frame(cursor.get_block()));
  }
  return read_from(cursor.get_block(), first, rows_wanted, mtr);
}

Leaf_scan::Outcome Leaf_scan::read_from(buf_block_t *block, ulint first, std::uint32_t rows_wanted,
                                        Read_mtr &mtr) noexcept {
  m_used_copies = 0;
  for (std::uint32_t i = 0; i < Page_copies::pages; ++i) {
    const page_t *page = buf_block_get_frame(block);
    ++m_pages_read;
    m_last_page = block->page.id.page_no();
    const Outcome outcome = read_page(page, first, mtr);
    if (outcome != Outcome::good || m_ended) return outcome;
    if (btr_page_get_next(page, mtr.get()) == FIL_NULL) {
      m_ended = true;
      return Outcome::good;
    }
    if (m_found >= rows_wanted) return Outcome::good;
    if (check_running() != Outcome::good) return Outcome::interrupted;
    block = next_leaf(block, mtr);
    if (block == nullptr) return Outcome::corrupted;
    page = buf_block_get_frame(block);
    first = m_format.first_offset(page);
  }
  return Outcome::good;
}

// Null if the neighbour is no leaf of this tree.
buf_block_t *Leaf_scan::next_leaf(buf_block_t *block, Read_mtr &mtr) noexcept {
  const page_no_t number = btr_page_get_next(buf_block_get_frame(block), mtr.get());
  // One leaf of each hold is enough. Where rows are wide, a look costs some percent of reading a
  // leaf.
  if (m_used_copies == 1 && !buf_page_peek(page_id_t(m_tree.index->space, number))) {
    ++m_pages_absent;
  }
  return latch_next_leaf(m_tree, m_format, block, mtr);
}

// Walks a copy, which is in the processor's cache. The page stays latched: old versions need it.
Leaf_scan::Outcome Leaf_scan::read_page(const page_t *page, ulint first, Read_mtr &mtr) noexcept {
  if (first == m_format.supremum()) return Outcome::good;
  const byte *copy = copy_page(page);
  if (copy == nullptr || !m_format.is_used(copy, first)) return Outcome::corrupted;
  const Outcome outcome = walk(copy, page, first, mtr);
  if (m_upper.key == nullptr || m_last == nullptr) return outcome;
  const auto before = is_before_upper(m_last);
  if (!before) return Outcome::corrupted;
  return *before ? outcome : end_at_upper(outcome);
}

// No page has more records than there is room for.
Leaf_scan::Outcome Leaf_scan::walk(const byte *copy, const page_t *page, ulint first,
                                   Read_mtr &mtr) noexcept {
  const byte *limit = copy + srv_page_size;
  std::size_t left = Leaf_format::most_rows_of_page();
  for (ulint offset = first; offset != m_format.supremum();
       offset = m_format.next_offset(copy, offset)) {
    if (offset == 0 || left-- == 0) return Outcome::corrupted;
    const rec_t *rec = copy + offset;
    const trx_id_t writer = m_layout.writer(rec, limit);
    if (writer == Record_layout::no_writer) return Outcome::corrupted;
    if (m_view->changes_visible(writer, m_tree.table->name)) {
      if (!rec_get_deleted_flag(rec, m_format.compact())) m_records[m_found++] = rec;
      m_last = rec;
      continue;
    }
    m_saw_all = false;
    const Outcome outcome = take_old_version(page + offset, mtr);
    if (outcome != Outcome::good && outcome != Outcome::paused) return outcome;
    m_last = rec;
    if (outcome == Outcome::paused) return outcome;
  }
  return Outcome::good;
}

// Null if the page is damaged.
const byte *Leaf_scan::copy_page(const page_t *page) noexcept {
  byte *copy = m_copies.page(m_used_copies++);
  return m_format.copy(page, copy) ? copy : nullptr;
}

// Takes away what the range does not have. A last page is all that is read in vain.
Leaf_scan::Outcome Leaf_scan::end_at_upper(Outcome outcome) noexcept {
  m_ended = true;
  for (; m_found > 0; --m_found) {
    const auto before = is_before_upper(m_records[m_found - 1]);
    if (!before) return Outcome::corrupted;
    if (*before) break;
  }
  return outcome;
}

// Nothing if the record is damaged.
std::optional<bool> Leaf_scan::is_before_upper(const rec_t *rec) noexcept {
  mem_heap_t *heap = m_offsets.get();
  const ulint *offsets =
      rec_get_offsets(rec, m_tree.index, nullptr, m_upper.key->fields(), UT_LOCATION_HERE, &heap);
  std::optional<bool> before;
  if (rec_offs_data_size(offsets) <= static_cast<std::size_t>(limit_of(rec) - rec)) {
    const int order = m_upper.key->tuple()->compare(rec, m_tree.index, offsets);
    before = m_upper.inclusive ? order >= 0 : order > 0;
  }
  mem_heap_empty(heap);
  return before;
}

Leaf_scan::Outcome Leaf_scan::take_old_version(const rec_t *latched, Read_mtr &mtr) noexcept {
  const auto sees = [this](trx_id_t writer) {
    return m_view->changes_visible(writer, m_tree.table->name);
  };
  const auto version = m_versions.find(latched, mtr, m_most_versions, m_old_records, sees);
  switch (version.end) {
    case Row_versions::End::found:
    case Row_versions::End::none:
      break;
    case Row_versions::End::no_history:
      return Outcome::no_history;
    case Row_versions::End::too_long:
      return Outcome::history_too_long;
    case Row_versions::End::interrupted:
      return Outcome::interrupted;
  }
  if (version.rec != nullptr && !rec_get_deleted_flag(version.rec, m_format.compact())) {
    m_records[m_found++] = version.rec;
  }
  m_steps += version.steps;
  const bool enough = ++m_versions_built >= most_versions_per_hold ||
                      m_steps >= most_steps_per_hold ||
                      mem_heap_get_size(m_old_records.get()) >= most_version_bytes_per_hold;
  return enough ? Outcome::paused : Outcome::good;
}

Result<Stored_key> Leaf_scan::key_of(const rec_t *rec) const {
  return read_key(m_tree.index, rec, limit_of(rec));
}

}  // namespace pq
