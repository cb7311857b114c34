// Reads the records of a clustered index, leaf page by leaf page, as a read view sees them
// (docs/decisions/native-scan.md).

#ifndef MYSQL_PQ_SCAN_LEAF_SCAN_H
#define MYSQL_PQ_SCAN_LEAF_SCAN_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "leaf/leaf_page.h"
#include "leaf/record_layout.h"
#include "leaf/row_versions.h"
#include "pure/error.h"
#include "readahead/leaf_readahead.h"
#include "server/innodb_guards.h"
#include "tree/saved_key.h"
#include "tree/tree.h"

namespace pq {

class Leaf_scan final {
 public:
  // Where the scan ends.
  struct Upper {
    const Saved_key *key;    // null if there is no end
    bool inclusive = false;  // whether a record at the key is read
  };

  // The tree must be usable (see tree.h), clustered and locked against DDL for the life of the
  // scan; the session has a read view.
  Leaf_scan(THD *thd, const Tree &tree, const Record_layout &layout, const Upper &upper,
            const Page_copies &copies, Leaf_readahead &readahead);

  // Goes to the first record at the key or behind it; to the first of all if the key is null. With
  // `beyond` it skips the record at the key. The key must live until the next read().
  void seek(const Saved_key *key, bool beyond);

  // Returns the next records that the view sees, in order; none once the range has ended. They are
  // about `rows_wanted` records, or all of one page if that has more. They are copies, and good
  // until the next call.
  //
  // Latches: none held on entry and exit. Inside, the index S-latch while descending, then
  // S-latches on at most two neighbouring leaves at a time, of at most Page_copies::pages in all. A
  // record that the view does not see is followed back through undo under the latch on its page, as
  // SQL does, by mysql_pq_max_row_versions steps at most. The latch is let go after a limited
  // number of such records or steps. Nothing is allocated through C++ under a latch, and nothing
  // thrown. Kill, time-out and switch-off are polled for each page and each such step.
  //
  // Errors: reported (killed), disabled, unusable_table (a page that is not of this tree),
  // bad_snapshot (history is missing), history_too_long.
  [[nodiscard]] Result<std::span<const rec_t *const>> read(std::uint32_t rows_wanted);

  [[nodiscard]] bool ended() const { return m_ended; }

  // The end of the memory that a record given by read() may point into.
  [[nodiscard]] const byte *limit_of(const rec_t *rec) const noexcept {
    const byte *end = m_copies.end_of_page(rec);
    // An old version was put together by InnoDB and is sound.
    return end != nullptr ? end : reinterpret_cast<const byte *>(UINTPTR_MAX);
  }

  // unusable_table if the record is damaged.
  [[nodiscard]] Result<Stored_key> key_of(const rec_t *rec) const;

  // Memory that a scan uses, but for the copies.
  [[nodiscard]] static std::size_t bytes();

  [[nodiscard]] std::uint64_t pages_read() const { return m_pages_read; }

  // The page that was latched last.
  [[nodiscard]] page_no_t last_page() const { return m_last_page; }

  // Whether the view saw each record as it stands, be it marked as deleted or not.
  [[nodiscard]] bool saw_all() const { return m_saw_all; }

 private:
  enum class Outcome : std::uint8_t {
    good,
    paused,
    interrupted,
    corrupted,
    no_history,
    history_too_long
  };

  [[nodiscard]] Result<void> check(Outcome outcome) const;
  [[nodiscard]] Result<void> resume_after(const rec_t *rec);
  [[nodiscard]] Outcome check_running() const noexcept;
  [[nodiscard]] Outcome read_pages(std::uint32_t rows_wanted) noexcept;
  [[nodiscard]] Outcome read_from(buf_block_t *block, ulint first, std::uint32_t rows_wanted,
                                  Read_mtr &mtr) noexcept;
  [[nodiscard]] buf_block_t *next_leaf(buf_block_t *block, Read_mtr &mtr) noexcept;
  [[nodiscard]] Outcome read_page(const page_t *page, ulint first, Read_mtr &mtr) noexcept;
  [[nodiscard]] const byte *copy_page(const page_t *page) noexcept;
  [[nodiscard]] Outcome walk(const byte *copy, const page_t *page, ulint first,
                             Read_mtr &mtr) noexcept;
  [[nodiscard]] Outcome end_at_upper(Outcome outcome) noexcept;
  [[nodiscard]] std::optional<bool> is_before_upper(const rec_t *rec) noexcept;
  [[nodiscard]] Outcome take_old_version(const rec_t *latched, Read_mtr &mtr) noexcept;

  THD *m_thd;
  Tree m_tree;
  const Record_layout &m_layout;
  Upper m_upper;
  const Page_copies &m_copies;
  Leaf_readahead &m_readahead;
  ReadView *m_view;
  Leaf_format m_format;
  std::uint32_t m_versions_built = 0;
  std::uint64_t m_steps = 0;  // that these took
  std::uint32_t m_used_copies = 0;
  std::uint32_t m_pages_absent = 0;  // of those looked for since the readahead was told
  std::uint64_t m_pages_read = 0;
  page_no_t m_last_page = FIL_NULL;
  bool m_saw_all = true;
  bool m_ended = false;
  const rec_t *m_last = nullptr;  // of those walked, seen or not: a copy
  const Saved_key *m_start = nullptr;
  bool m_beyond = false;
  Saved_key m_resume;
  std::uint64_t m_most_versions;
  Heap m_offsets;
  Row_versions m_versions;
  Heap m_old_records;
  // Room for all records of the pages that are read under one hold of latches.
  std::unique_ptr<const rec_t *[]> m_records;
  std::size_t m_found = 0;  // of these
};

}  // namespace pq

#endif
