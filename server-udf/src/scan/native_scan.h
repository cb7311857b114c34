// Reads a range of a table's clustered index into column batches (docs/decisions/native-scan.md).
//
// The room `scan` takes a range, columns and conditions and gives batches of the rows that the
// session's snapshot sees. It must not know how ranges are planned, and how a call comes in from
// SQL.

#ifndef MYSQL_PQ_SCAN_NATIVE_SCAN_H
#define MYSQL_PQ_SCAN_NATIVE_SCAN_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "pure/error.h"
#include "pure/scan_request.h"
#include "scan/batch_compression.h"
#include "scan/batch_filler.h"
#include "scan/scan_contents.h"
#include "scan/scan_memory.h"
#include "scan/scan_position.h"
#include "scan/scan_validator.h"
#include "table/table_lease.h"

namespace pq {

// One scan, from batch to batch. Between two batches it keeps its buffers and the key of the last
// row, but neither table nor latch. Each call takes the table anew, and makes sure that it is the
// same one.
class Native_scan final {
 public:
  // `argument_bytes` is memory of the call's arguments, which the caller keeps as long as the scan.
  explicit Native_scan(Scan_request request, std::size_t argument_bytes = 0)
      : m_request(std::move(request)), m_argument_bytes(argument_bytes) {}
  Native_scan(const Native_scan &) = delete;
  Native_scan &operator=(const Native_scan &) = delete;

  // The next batch, as column_batch.h has it; the caller keeps it until the next call. False after
  // the last one. A batch of a scan that aggregates has the groups of the rows that it read: of all
  // rows that follow, if the groups are few enough. Pieces that the caller has kept, and whose
  // validators still hold, are passed over. If no others are left, there is a last batch without
  // rows, which says so.
  //
  // In each call: the session's transaction has the table locked and reads in the snapshot of the
  // token, the user may read each column of the request and of the key; in the first, nothing
  // altered the table since the snapshot.
  //
  // Errors: those of a table lease and of a snapshot's verification; bad_context (not locked),
  // bad_argument, unsupported_key, unsupported_scan, memory_limit, too_large (a batch must fit
  // max_allowed_packet).
  [[nodiscard]] Result<bool> next(THD *thd, std::string &batch);

  // Takes the place of next() where nothing is to be read: fails unless a scan of the columns and
  // conditions would begin, and would read each row whatever it holds.
  // Errors: those of the first batch that say nothing of a snapshot; unsupported_scan if some row's
  // values might be such that the scan ends before it.
  [[nodiscard]] Result<void> check(THD *thd, const Table_lease &lease);

 private:
  [[nodiscard]] Result<void> check_session(THD *thd) const;
  [[nodiscard]] Result<void> begin(THD *thd, const Table_lease &lease);
  [[nodiscard]] Result<void> prepare(THD *thd, const Table_lease &lease);
  [[nodiscard]] Result<void> check_same(const Table_lease &lease) const;
  [[nodiscard]] Result<void> read_batch(THD *thd);
  [[nodiscard]] Result<void> read_rows(THD *thd, const Table_lease &lease);
  [[nodiscard]] const Known_piece *known_piece() const;
  [[nodiscard]] Result<void> check_pieces(const Table_lease &lease) const;
  [[nodiscard]] Result<void> begin_piece(THD *thd, const Table_lease &lease);
  [[nodiscard]] Result<bool> is_unchanged(THD *thd, const Table_lease &lease);
  [[nodiscard]] Result<void> end_piece(const Table_lease &lease, const Saved_key &end);
  [[nodiscard]] bool wants_more() const;
  void end_batch();
  [[nodiscard]] Result<void> read_once(THD *thd);
  [[nodiscard]] std::uint32_t write(std::string &batch) const;
  void release(std::size_t bytes_of_batch);

  Scan_request m_request;
  std::size_t m_argument_bytes;
  Scan_memory m_memory;
  std::optional<Scan_contents> m_contents;
  std::optional<Batch_filler> m_filler;
  std::optional<Batch_compression> m_compression;  // once begun, if it is wanted
  Scan_position m_position;
  std::optional<Scan_validator> m_validator;  // once begun, if one is wanted
  std::size_t m_pieces_passed = 0;            // of those that the caller has kept
  bool m_in_piece = false;                    // unless the next row begins one
};

}  // namespace pq

#endif
