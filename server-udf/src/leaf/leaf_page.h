// Finds the records of leaf pages. On a damaged page, places of records and the lengths that they
// have are checked before they are followed. InnoDB's own rec_get_offsets, which read_key calls,
// still ends the server at a record whose status bits are none of a leaf's
// (docs/decisions/off-page-balance.md).
//
// The room `leaf` takes leaf pages and gives what is on them: where records and their cells are,
// the older versions of a row, and the values that it keeps off-page. It must not know why they are
// read: no columns of SQL, no conditions, no batches.

#ifndef MYSQL_PQ_LEAF_LEAF_PAGE_H
#define MYSQL_PQ_LEAF_LEAF_PAGE_H

#include <cstddef>
#include <memory>

#include "leaf/record_layout.h"
#include "pure/error.h"
#include "pure/key_sample.h"
#include "server/innodb_guards.h"
#include "tree/tree.h"

namespace pq {

// Owns memory for copies of leaf pages, which one scan after the other may use.
class Page_copies final {
 public:
  Page_copies();

  static constexpr std::uint32_t pages = 8;

  // Aligned as a page of the buffer pool is, with Record_layout::most_extra_bytes before the first.
  [[nodiscard]] byte *page(std::uint32_t i) const { return m_first + i * srv_page_size; }

  // The end of the copy that the record is in; null if it is in none.
  [[nodiscard]] const byte *end_of_page(const rec_t *rec) const {
    if (rec < m_first || rec >= page(pages)) return nullptr;
    return page(static_cast<std::uint32_t>((rec - m_first) >> srv_page_size_shift) + 1);
  }

  [[nodiscard]] static std::size_t bytes();

 private:
  std::unique_ptr<byte[]> m_memory;
  byte *m_first;
};

// How records follow one another on a leaf page, or on a copy of one. Nothing in it allocates or
// throws.
class Leaf_format final {
 public:
  explicit Leaf_format(const Tree &tree)
      : m_index_id(tree.index->id),
        m_clustered(tree.index->is_clustered()),
        m_compact(dict_table_is_comp(tree.table)),
        m_infimum(m_compact ? PAGE_NEW_INFIMUM : PAGE_OLD_INFIMUM),
        m_supremum(m_compact ? PAGE_NEW_SUPREMUM : PAGE_OLD_SUPREMUM),
        m_supremum_end(m_compact ? PAGE_NEW_SUPREMUM_END : PAGE_OLD_SUPREMUM_END) {}

  [[nodiscard]] bool compact() const noexcept { return m_compact; }
  [[nodiscard]] ulint supremum() const noexcept { return m_supremum; }

  [[nodiscard]] bool is_leaf_of_tree(const page_t *page) const noexcept {
    return fil_page_get_type(page) == FIL_PAGE_INDEX && btr_page_get_level(page) == 0 &&
           btr_page_get_index_id(page) == m_index_id && (page_is_comp(page) != 0) == m_compact;
  }

  // The first record, or the supremum if there is none; 0 if that is no place of a record.
  [[nodiscard]] ulint first_offset(const byte *page) const noexcept {
    return next_offset(page, m_infimum);
  }

  // The place of the record behind the one at `offset`, or of the page's end; 0 if it is neither.
  [[nodiscard]] ulint next_offset(const byte *page, ulint offset) const noexcept {
    const ulint stored = mach_read_from_2(page + offset - REC_NEXT);
    const ulint next = m_compact ? (offset + stored) & (srv_page_size - 1) : stored;
    return next == m_supremum || is_used(page, next) ? next : 0;
  }

  [[nodiscard]] bool is_used(const byte *page, ulint offset) const noexcept {
    const ulint used = mach_read_from_2(page + PAGE_HEADER + PAGE_HEAP_TOP);
    return offset > m_supremum_end && offset < used && used <= srv_page_size;
  }

  // Copies the page without the directory at its end, which is not needed. Returns false if the
  // page does not say how much of it is in use.
  [[nodiscard]] bool copy(const page_t *page, byte *to) const noexcept;

  // An upper bound of the records on a page of this tree. Deleted records count.
  [[nodiscard]] std::size_t most_records_of_page() const noexcept;

  // The same bound for any clustered index.
  [[nodiscard]] static std::size_t most_rows_of_page() noexcept;

 private:
  space_index_t m_index_id;
  bool m_clustered;
  bool m_compact;
  ulint m_infimum;
  ulint m_supremum;
  ulint m_supremum_end;
};

// Latches the right neighbour of a leaf, and lets the leaf go only then, so that no record moves
// from one to the other in between. Reads it from disk unless `fetch` says otherwise. Returns null
// if the neighbour is no leaf of the tree, or was not to be read; the leaf then stays latched.
[[nodiscard]] buf_block_t *latch_next_leaf(const Tree &tree, const Leaf_format &format,
                                           buf_block_t *leaf, Read_mtr &mtr,
                                           Page_fetch fetch = Page_fetch::SCAN) noexcept;

// The fields of a record that are unique in the tree, as they are stored. unusable_table if it ends
// beyond the limit.
[[nodiscard]] Result<Stored_key> read_key(const dict_index_t *index, const rec_t *rec,
                                          const byte *limit);

}  // namespace pq

#endif
