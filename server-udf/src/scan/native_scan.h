// Reads a range of a table's clustered index into column batches (docs/decisions/native-scan.md).
//
// The room `scan` takes a range, columns and conditions and gives batches of the rows that the session's snapshot sees. It
// must not know how ranges are planned, and how a call comes in from SQL.

#ifndef MYSQL_PQ_SCAN_NATIVE_SCAN_H
#define MYSQL_PQ_SCAN_NATIVE_SCAN_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "leaf/off_page_values.h"
#include "pure/column_batch.h"
#include "pure/scan_request.h"
#include "scan/leaf_scan.h"
#include "scan/scan_columns.h"
#include "scan/scan_conditions.h"
#include "scan/scan_memory.h"
#include "server/instruments.h"

namespace pq {

// One scan, from batch to batch. Between two it keeps its buffers and the key of the last row, but neither table nor
// latch: each call takes the table anew, and finds it to be the same one.
class Native_scan final {
 public:
  // The caller keeps so many bytes of arguments as long as the scan.
  explicit Native_scan(Scan_request request, std::size_t argument_bytes = 0)
      : m_request(std::move(request)), m_argument_bytes(argument_bytes) {}
  Native_scan(const Native_scan &) = delete;
  Native_scan &operator=(const Native_scan &) = delete;

  // The next batch, as column_batch.h has it; the caller keeps it until the next call. False after the last one.
  //
  // In each call: the session's transaction has the table locked and reads in the snapshot of the token, the user may
  // read each column of the request and of the key; in the first, nothing altered the table since the snapshot.
  //
  // Errors: those of a table lease and of a snapshot's verification; bad_context (not locked), bad_argument,
  // unsupported_key, unsupported_scan, memory_limit, too_large (a batch must fit max_allowed_packet).
  [[nodiscard]] Result<bool> next(THD *thd, std::string &batch);

  // Instead of all that: whether a scan of the columns and conditions would begin, and read each row whatever it holds.
  // Errors: those of the first batch that say nothing of a snapshot; unsupported_scan if some row's values might be
  // such that the scan ends before it.
  [[nodiscard]] Result<void> check(THD *thd, const Table_lease &lease);

 private:
  [[nodiscard]] Result<void> begin(THD *thd, const Table_lease &lease);
  [[nodiscard]] Result<void> prepare(THD *thd, const Table_lease &lease);
  [[nodiscard]] std::uint64_t off_page_bytes_of_types(const Stored_columns &columns) const;
  [[nodiscard]] Result<void> check_same(const Table_lease &lease) const;
  [[nodiscard]] Result<void> find_columns(const Table_lease &lease);
  [[nodiscard]] Result<void> reserve(THD *thd);
  [[nodiscard]] std::size_t rows_of_batch() const;
  [[nodiscard]] Result<void> check_size(THD *thd, std::size_t size) const;
  [[nodiscard]] Result<void> read_rows(THD *thd, const Table_lease &lease);
  [[nodiscard]] std::size_t most_excess_bytes() const;
  [[nodiscard]] Result<void> fill(THD *thd, const Tree &tree, Leaf_scan &scan,
                                  const Record_layout &layout, instruments::Table_io &io);
  [[nodiscard]] Result<std::size_t> take(THD *thd, const Tree &tree, const Leaf_scan &scan,
                                         const Record_layout &layout,
                                         std::span<const rec_t *const> records);
  [[nodiscard]] Result<std::uint32_t> locate(const Leaf_scan &scan, const Record_layout &layout,
                                             std::span<const rec_t *const> records);
  [[nodiscard]] Result<std::uint32_t> take_block(THD *thd, const Tree &tree, std::uint32_t rows);
  void append(std::span<const std::uint32_t> selected);
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] Result<std::string> cursor(const Table_lease &lease) const;
  void release(std::size_t bytes_of_batch);

  Scan_request m_request;
  std::size_t m_argument_bytes;
  bool m_begun = false;
  std::uint64_t m_table_id = 0;
  std::uint64_t m_index_id = 0;
  std::vector<Scan_column> m_columns;
  std::optional<Scan_conditions> m_conditions;
  std::vector<Record_layout::Column> m_fields;  // of the columns, then those of conditions only
  std::size_t m_growth = 1;                     // of bytes, from what is stored to what is sent
  std::size_t m_member_bytes = 0;               // that texts of ENUM and SET add to a row at most
  std::size_t m_value_bytes = 0;                // of members, and of what rows are compared with
  std::uint64_t m_off_page_bytes_of_types = 0;  // that a row's values may have
  std::size_t m_most_off_page_bytes = 0;        // and those that are read
  Scan_memory m_memory;
  std::optional<Page_copies> m_copies;
  std::optional<Leaf_readahead> m_readahead;
  std::optional<Cell_block> m_cells;
  std::optional<Off_page_values> m_off_page;
  std::vector<std::size_t> m_places;  // of the columns among the fields
  std::optional<Scan_conditions::Scratch> m_scratch_of_conditions;
  std::optional<Column_batch> m_batch;
  std::vector<std::uint32_t> m_selected;
  std::string m_scratch;
  std::optional<Stored_key> m_last;  // of the rows read so far
  Batch_place m_place;
};

}  // namespace pq

#endif
