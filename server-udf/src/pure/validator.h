// Says under which conditions a scan would give again what it gave, so that its caller may keep
// that (docs/decisions/conditional-scan.md).

#ifndef MYSQL_PQ_PURE_VALIDATOR_H
#define MYSQL_PQ_PURE_VALIDATOR_H

#include <cstdint>
#include <string>
#include <string_view>

#include "pure/arguments.h"
#include "pure/error.h"

namespace pq {

// Where a read view stands among all views of a server. Of two of them the later one sees whatever
// the other sees.
struct View_age {
  std::uint64_t low_limit_id;  // no transaction from here on is seen
  std::uint64_t unseen;        // transactions below that are not seen either

  // The number of transactions only grows, and without growth none is added to those unseen.
  [[nodiscard]] bool is_before(const View_age &other) const {
    return low_limit_id != other.low_limit_id ? low_limit_id < other.low_limit_id
                                              : unseen > other.unseen;
  }
  bool operator==(const View_age &) const = default;
};

struct Validator {
  std::string origin;       // 32 hex digits: a digest of what has to be the same
  std::uint64_t lsn;        // the log's end before a page of the scan was latched
  View_age view;            // of the scan, which saw each row of the range as it stands
  std::uint32_t last_page;  // that the scan latched
  std::uint64_t pages;      // that it latched, or more

  bool operator==(const Validator &) const = default;
};

[[nodiscard]] std::string write_validator(const Validator &validator);

// bad_argument if the text is none that write_validator() wrote.
[[nodiscard]] Result<Validator> read_validator(std::string_view text);

}  // namespace pq

#endif
