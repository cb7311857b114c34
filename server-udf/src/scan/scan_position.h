// Knows where a native scan stands between two batches.

#ifndef MYSQL_PQ_SCAN_SCAN_POSITION_H
#define MYSQL_PQ_SCAN_SCAN_POSITION_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pure/column_batch.h"
#include "pure/error.h"
#include "pure/key_sample.h"
#include "pure/request.h"
#include "table/table_lease.h"
#include "tree/saved_key.h"

namespace pq {

class Scan_position final {
 public:
  void begin(const Tree &tree);
  [[nodiscard]] bool has_begun() const { return m_begun; }

  // Fails with unusable_table unless the lease is of the tree that the scan began in.
  [[nodiscard]] Result<void> check_same(const Table_lease &lease) const;

  void begin_batch();

  // The rows up to the one with this key have been read.
  void pass(Stored_key key) { m_last = std::move(key); }
  // Whether a row has been read since the scan went to a key.
  [[nodiscard]] bool has_read() const { return m_last.has_value(); }
  // The rows up to this key have been read, or are known.
  void go_to(std::vector<Written_value> key);

  // The key behind which rows are to be read. Null where the range begins. Errors: those of
  // make_bound(); bad_argument if a key that was given does not hold all columns of the index.
  [[nodiscard]] Result<std::unique_ptr<Saved_key>> start(const Table_lease &lease) const;

  // This batch ends. Unless it is the end of a piece only, no row that follows is read by this
  // scan.
  void end(Batch_end end) { m_place.end = end; }
  void set_validator(std::string validator) { m_place.validator = std::move(validator); }
  void count_unchanged() { ++m_place.unchanged; }
  [[nodiscard]] bool has_batch_ended() const { return m_place.end != Batch_end::more; }
  [[nodiscard]] bool has_ended() const {
    return has_batch_ended() && m_place.end != Batch_end::piece_ended;
  }

  // Sets the cursor of the batch that has been read: where the rows after it begin, or nothing
  // where the range has ended, or its first row was not yet read.
  [[nodiscard]] Result<void> set_cursor(const Table_lease &lease);

  [[nodiscard]] const Batch_place &place() const { return m_place; }
  void count_batch(std::uint32_t rows);

 private:
  bool m_begun = false;
  std::uint64_t m_table_id = 0;
  std::uint64_t m_index_id = 0;
  std::optional<Stored_key> m_last;    // of those read, since the scan went to the key
  std::vector<Written_value> m_after;  // empty: the range's begin
  Batch_place m_place;
};

}  // namespace pq

#endif
