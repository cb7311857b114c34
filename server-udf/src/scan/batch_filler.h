// Fills the batches of a native scan, one after the other.

#ifndef MYSQL_PQ_SCAN_BATCH_FILLER_H
#define MYSQL_PQ_SCAN_BATCH_FILLER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "leaf/leaf_page.h"
#include "leaf/off_page_values.h"
#include "leaf/record_layout.h"
#include "pure/column_batch.h"
#include "pure/error.h"
#include "pure/first_rows.h"
#include "pure/group_table.h"
#include "pure/scan_request.h"
#include "readahead/leaf_readahead.h"
#include "scan/leaf_scan.h"
#include "scan/scan_conditions.h"
#include "scan/scan_contents.h"
#include "scan/scan_expressions.h"
#include "scan/scan_position.h"
#include "scan/scan_validator.h"
#include "server/instruments.h"
#include "table/table_lease.h"
#include "tree/saved_key.h"

namespace pq {

// Keeps its buffers from batch to batch, but neither table nor latch.
class Batch_filler final {
 public:
  // The contents outlive the filler.
  Batch_filler(const Scan_contents &contents, const Scan_request &request);
  Batch_filler(const Batch_filler &) = delete;
  Batch_filler &operator=(const Batch_filler &) = delete;

  // The most bytes that a batch has.
  [[nodiscard]] static std::size_t most_bytes(const Scan_contents &contents,
                                              const Scan_request &request);

  // Memory of a filler, its batch, and what is made of the batch.
  [[nodiscard]] static std::size_t memory(const Scan_contents &contents,
                                          const Scan_request &request);

  // Says where the rows of a batch are: at the key or behind it, and before the upper end. Null
  // stands for no begin.
  struct Range {
    const Saved_key *start;
    bool beyond;
    Leaf_scan::Upper upper;
  };

  // Forgets the batch before.
  void begin_batch();
  // The batch does not depend on those before. It ends after so many rows of the index, and those
  // of their page.
  void begin_piece(std::uint64_t rows);

  // Reads rows of the range into the batch, and moves the position behind them. It reads until the
  // batch is full, or has its rows of the index; if rows are grouped, or only first ones are
  // wanted, also until it has read so many that the caller should let go of the table.
  //
  // The validator, if there is one, takes note of the pages.
  //
  // Latches, conditions and errors: those of Leaf_scan; unusable_table if a record is damaged.
  [[nodiscard]] Result<void> fill(THD *thd, const Table_lease &lease, const Range &range,
                                  Scan_position &position, Scan_validator *validator);

  // Memory for copies of pages, which nothing uses between two calls.
  [[nodiscard]] const Page_copies &copies() const { return m_copies; }

  [[nodiscard]] bool is_full() const;
  // Whether it has read its rows of the index.
  [[nodiscard]] bool has_read_enough() const { return m_rows_of_batch >= m_rows_wanted; }

  // Rows that the last fill() read and that passed the conditions.
  [[nodiscard]] std::uint32_t rows_filled() const { return m_rows_filled; }

  // Writes the batch, of rows or groups, as a client gets it. Returns how many there are.
  [[nodiscard]] std::uint32_t write(const Batch_place &place, std::string &batch) const;

 private:
  // What the rows of one call are read from.
  struct Source {
    THD *thd;
    const Tree &tree;
    Record_layout &layout;
    Record_layout &order_layout;
    Leaf_scan &scan;
  };

  [[nodiscard]] Result<void> fill_from(const Source &source, instruments::Table_io &io,
                                       Scan_position &position);
  [[nodiscard]] Result<std::size_t> take(const Source &source,
                                         std::span<const rec_t *const> records,
                                         Scan_position &position);
  [[nodiscard]] Result<std::uint32_t> take_first(const Source &source,
                                                 std::span<const rec_t *const> records,
                                                 Scan_position &position);
  [[nodiscard]] Result<std::uint32_t> take_records(const Source &source,
                                                   std::span<const rec_t *const> records,
                                                   Scan_position &position);
  [[nodiscard]] bool looks_first();
  [[nodiscard]] std::uint32_t find_possible(const Source &source,
                                            std::span<const rec_t *const> records);
  [[nodiscard]] Result<std::uint32_t> locate(const Source &source,
                                             std::span<const rec_t *const> records);
  [[nodiscard]] Result<std::uint32_t> take_block(const Source &source, std::uint32_t rows,
                                                 Scan_position &position);
  [[nodiscard]] static std::uint32_t stop_before_block(Scan_position &position);
  [[nodiscard]] bool append(std::span<const std::uint32_t> selected);
  void keep_first();
  [[nodiscard]] std::uint32_t room() const;

  const Scan_contents &m_contents;
  std::size_t m_bytes_wanted;
  std::uint32_t m_groups_wanted;
  Batch_form m_form;
  Page_copies m_copies;
  Leaf_readahead m_readahead;
  Cell_block m_cells;
  Off_page_values m_off_page;
  std::vector<std::size_t> m_places;  // of the columns among the fields
  std::vector<std::uint32_t> m_selected;
  Scan_expressions::Values m_expressions;
  Scan_expressions::Values m_where;
  Scan_expressions::Values m_order;
  std::optional<First_rows> m_first;
  Cell_block m_order_cells;  // as m_cells, of the order's fields alone
  Scan_expressions::Values m_order_alone;
  std::vector<std::uint32_t> m_possible;
  std::vector<const rec_t *> m_possible_records;
  std::uint32_t m_blocks_in_vain = 0;  // that are not looked at first
  Scan_conditions::Scratch m_scratch_of_conditions;
  std::string m_scratch;
  std::uint32_t m_rows_filled = 0;
  std::uint32_t m_rows_read = 0;  // since fill() began
  std::uint64_t m_rows_of_batch = 0;
  std::uint64_t m_rows_wanted = UINT64_MAX;
  Column_batch m_batch;  // of those rows that are not yet in a group
  std::optional<Group_table> m_groups;
};

}  // namespace pq

#endif
