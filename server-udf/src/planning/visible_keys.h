// Finds keys of rows that the session could read by SQL, near keys that may be of none.

#ifndef MYSQL_PQ_PLANNING_VISIBLE_KEYS_H
#define MYSQL_PQ_PLANNING_VISIBLE_KEYS_H

#include <cstdint>
#include <optional>

#include "leaf/leaf_page.h"
#include "leaf/row_versions.h"
#include "planning/visibility.h"
#include "pure/error.h"
#include "pure/key_sample.h"
#include "tree/latched_path.h"
#include "tree/saved_key.h"
#include "tree/tree.h"

namespace pq {

// A node pointer keeps the key of a row long after the row is gone, and a leaf has rows that are
// deleted or not committed. No such key may leave the server: the session might never have been
// able to read it (docs/decisions/boundary-protocol.md).
class Visible_keys final {
 public:
  // The tree must be usable (see tree.h) and locked against DDL.
  Visible_keys(THD *thd, const Tree &tree);

  // The key of the first row at or behind `from`, and before `before` if it is not null, that the
  // session sees (see visibility.h). Nothing if there is none among the rows looked at, or none of
  // which this is sure.
  //
  // Latches: none held on entry and exit. Inside, the index S-latch while descending, then
  // S-latches on at most two neighbouring leaves at a time; of a secondary index, when these are
  // let go, one on the leaf of the row itself. Versions are built as in row_versions.h. Nothing is
  // allocated through C++ under a latch, and nothing thrown. Kill and switch-off are polled for
  // each descent and each version.
  //
  // Cost: most often one leaf, at most `most_leaves` of them, and of a secondary index
  // `most_rows_fetched` rows. After `most_further_leaves` in all calls only the first leaf of each
  // key, and after `most_further_rows` only its first row.
  // Errors: reported (killed), disabled, unusable_table (a page that is not of this tree).
  [[nodiscard]] Result<std::optional<Stored_key>> first(const Saved_key &from,
                                                        const Saved_key *before);

  // Leaves of this tree, and those of the rows that were fetched.
  [[nodiscard]] std::uint64_t pages_read() const { return m_pages_read; }

  static constexpr std::uint32_t most_leaves = 4;
  static constexpr std::uint32_t most_further_leaves = 1024;
  static constexpr std::uint32_t most_rows_fetched = 16;
  static constexpr std::uint32_t most_further_rows = 1024;

 private:
  enum class Look : std::uint8_t { found, doubtful, pass, none, interrupted, corrupted };

  [[nodiscard]] Look look_from(const dtuple_t *start, bool beyond,
                               const Saved_key *before) noexcept;
  [[nodiscard]] bool may_go_on() noexcept;
  [[nodiscard]] Look look_at_page(const page_t *page, ulint first, const Saved_key *before,
                                  Read_mtr &mtr) noexcept;
  [[nodiscard]] Look look_at(const page_t *page, const rec_t *rec, const Saved_key *before,
                             Read_mtr &mtr) noexcept;
  [[nodiscard]] Look look_at_row(const rec_t *rec, const ulint *offsets, Read_mtr &mtr) noexcept;
  [[nodiscard]] Look look_at_entry(const page_t *page, const rec_t *rec) noexcept;
  [[nodiscard]] Look fetch_row() noexcept;
  [[nodiscard]] bool has_entry(const rec_t *row) noexcept;
  void save(const rec_t *rec, const ulint *offsets) noexcept;
  [[nodiscard]] bool is_deleted(const rec_t *rec) const noexcept {
    return rec_get_deleted_flag(rec, m_format.compact());
  }
  // Who was active when its newest version was looked at may commit meanwhile. Its older versions
  // were never committed.
  [[nodiscard]] auto sees_others_than(trx_id_t unseen) const noexcept {
    return [this, unseen](trx_id_t writer) {
      return writer != unseen && m_visibility.sees(writer, m_tree.table);
    };
  }
  [[nodiscard]] dict_index_t *clustered() const noexcept { return m_tree.table->first_index(); }
  [[nodiscard]] Stored_key key() const;

  THD *m_thd;
  Tree m_tree;
  Leaf_format m_format;
  Visibility m_visibility;
  std::size_t m_key_fields;
  Row_versions m_versions;
  Saved_key m_key;                // found, or doubtful
  const rec_t *m_seen = nullptr;  // the version of a row that is seen, if it is not the newest
  const dtuple_t *m_reference = nullptr;  // to the row of a doubtful one
  std::uint32_t m_versions_built = 0;
  std::uint32_t m_leaves_left = 0;
  std::uint32_t m_all_leaves_left = most_further_leaves;
  std::uint32_t m_all_rows_left = most_further_rows;
  std::uint64_t m_pages_read = 0;
  Heap m_offsets;
  Heap m_old_rows;
  Heap m_references;
};

}  // namespace pq

#endif
