// Knows where a native scan stands between two batches.

#ifndef MYSQL_PQ_SCAN_SCAN_POSITION_H
#define MYSQL_PQ_SCAN_SCAN_POSITION_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pure/column_batch.h"
#include "pure/error.h"
#include "pure/key_sample.h"
#include "pure/request.h"
#include "table/table_lease.h"

namespace pq {

class Scan_position final {
 public:
  void begin(const Tree &tree);
  [[nodiscard]] bool has_begun() const { return m_begun; }

  // Fails with unusable_table unless the lease is of the tree that the scan began in.
  [[nodiscard]] Result<void> check_same(const Table_lease &lease) const;

  // The rows up to the one with this key have been read.
  void pass(Stored_key key) { m_last = std::move(key); }
  [[nodiscard]] const std::optional<Stored_key> &last() const { return m_last; }

  // No row that follows is read by this scan.
  void end(Batch_end end) { m_place.end = end; }
  void set_validator(std::string validator) { m_place.validator = std::move(validator); }
  [[nodiscard]] bool has_ended() const { return m_place.end != Batch_end::more; }

  // Sets the cursor of the batch that has been read: where the rows after it begin, or nothing
  // where the range has ended or no row was read. `after` is the key behind which the scan began.
  [[nodiscard]] Result<void> set_cursor(const Table_lease &lease,
                                        const std::vector<Written_value> &after);

  [[nodiscard]] const Batch_place &place() const { return m_place; }
  void count_batch(std::uint32_t rows);

 private:
  bool m_begun = false;
  std::uint64_t m_table_id = 0;
  std::uint64_t m_index_id = 0;
  std::optional<Stored_key> m_last;
  Batch_place m_place;
};

}  // namespace pq

#endif
