// Makes validators of a scan's pieces, and finds out whether one that an earlier scan gave holds
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
  // The session reads in the scan's view. The digest is of the whole request. Errors: those of
  // own_content().
  [[nodiscard]] static Result<Scan_validator> begin(THD *thd, const Table_lease &lease,
                                                    const std::string &request);

  // Before the scan latches the first page of a piece, which begins behind the key. Keys are
  // written as cursors; an empty one is the begin or the end of the request's range.
  void begin_piece(const std::string &after);

  // Where a piece of an earlier scan was, which began where this one's does.
  struct Known {
    const Validator &validator;
    const Saved_key *start;  // where its scan began; null: at the first record of all
    std::string end;         // the key up to which it goes
  };

  // Whether the piece has for this scan's view the rows that it had for the scan that gave the
  // validator, with the same values. False also where that cannot be told.
  //
  // Latches, and errors: those of Unchanged_leaves.
  [[nodiscard]] Result<bool> confirms(THD *thd, const Table_lease &lease, const Known &known,
                                      const Page_copies &copies) const;

  // Takes note of pages of the piece, in their order. Each page of it must be among them.
  void note(const Leaf_scan &scan);

  // To be asked when the scan has come to the end of the piece, which goes up to the key. Empty if
  // the piece can have no validator.
  [[nodiscard]] std::string text(const std::string &end) const;

 private:
  Scan_validator() = default;

  [[nodiscard]] std::string origin_of(const std::string &end) const;

  std::string m_origin;                        // of all pieces
  std::string m_after;                         // where the piece begins
  Validator m_validator{};                     // of the piece, but for its origin
  std::optional<std::uint64_t> m_quiet_since;  // nothing if there are no validators
  bool m_saw_all = true;
};

}  // namespace pq

#endif
