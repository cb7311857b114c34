// Makes the validator of a scan, and finds out whether one that an earlier scan gave still holds
// (docs/decisions/conditional-scan.md).

#ifndef MYSQL_PQ_SCAN_SCAN_VALIDATOR_H
#define MYSQL_PQ_SCAN_SCAN_VALIDATOR_H

#include <cstdint>
#include <optional>
#include <string>

#include "leaf/leaf_page.h"
#include "pure/error.h"
#include "pure/validator.h"
#include "scan/leaf_scan.h"
#include "table/table_lease.h"
#include "tree/saved_key.h"

namespace pq {

class Scan_validator final {
 public:
  // Before the scan latches its first page. The session reads in the scan's view. The digest is of
  // the whole request. Errors: those of own_content().
  [[nodiscard]] static Result<Scan_validator> begin(THD *thd, const Table_lease &lease,
                                                    const std::string &request);

  // Whether the range, which begins at the key (or at the first one of all, if it is null), has for
  // this scan's view the rows that it had for the scan that gave the other validator, with the same
  // values. False also where that cannot be told.
  //
  // Latches, and errors: those of Unchanged_leaves.
  [[nodiscard]] Result<bool> confirms(THD *thd, const Table_lease &lease, const Saved_key *start,
                                      const Validator &known, const Page_copies &copies) const;

  // Takes note of pages of the range, in their order. Each page of it must be among them.
  void note(const Leaf_scan &scan);

  // To be asked when the scan has come to the end of its range. Empty if it can have no validator.
  [[nodiscard]] std::string text() const;

 private:
  Scan_validator() = default;

  Validator m_validator{};
  std::optional<std::uint64_t> m_quiet_since;  // nothing if there is no validator
  bool m_saw_all = true;
};

}  // namespace pq

#endif
