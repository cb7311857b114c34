// Writes the replies of docs/protocol.md.

#ifndef MYSQL_PQ_PURE_REPLY_H
#define MYSQL_PQ_PURE_REPLY_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pure/error.h"
#include "pure/key_codec.h"
#include "pure/request.h"

namespace pq {

// One boundary: a value for each column of the physical key, as encoded for the reply; nothing for
// NULL.
using Boundary = std::vector<std::optional<std::string>>;

// What only a reader of the whole table may learn.
struct Size_estimates {
  std::uint32_t height;
  std::vector<std::uint64_t> rows;   // one per range
  std::vector<std::uint64_t> pages;  // one per range
  // One per range, and of these bytes those off-page; none if they were not weighed.
  std::vector<std::uint64_t> bytes;
  std::vector<std::uint64_t> off_page_bytes;
};

struct Range_reply {
  Target target;
  bool clustered = false;
  std::string definition;
  std::vector<Key_column> columns;
  std::int64_t count_requested = 0;
  bool count_clamped = false;
  std::uint32_t level = 0;
  std::uint64_t pages_read = 0;
  std::vector<Boundary> boundaries;
  std::optional<Size_estimates> sizes;
};

struct Version_reply {
  std::string extension;
  std::string server_version;
  bool enabled;
  std::uint32_t max_ranges;
  std::vector<std::string> functions;
  std::vector<std::string>
      features;  // what this extension knows, and older ones of the same protocol do not
};

// Why pages were not read ahead to the end of the range.
enum class Readahead_stop : std::uint8_t { range_ended, pages, pool_share, off };

struct Readahead_reply {
  std::uint64_t pages_asked = 0;
  std::uint64_t pages_resident = 0;
  Readahead_stop stop = Readahead_stop::range_ended;
};

// Each fails with too_large if the text would pass max_bytes, and never holds more than that.
[[nodiscard]] Result<std::string> write_range_reply(const Range_reply &reply,
                                                    std::size_t max_bytes);
[[nodiscard]] Result<std::string> write_version_reply(const Version_reply &reply,
                                                      std::size_t max_bytes);
[[nodiscard]] Result<std::string> write_definition_reply(const std::string &definition,
                                                         std::size_t max_bytes);
[[nodiscard]] Result<std::string> write_token_reply(const std::string &token,
                                                    std::size_t max_bytes);
[[nodiscard]] Result<std::string> write_position_reply(std::string_view gtid_executed,
                                                       std::size_t max_bytes);
[[nodiscard]] Result<std::string> write_coverage_reply(bool covers, std::size_t max_bytes);

// A key as options take it.
[[nodiscard]] std::string write_cursor(const Boundary &key);

[[nodiscard]] Result<std::string> write_readahead_reply(const Readahead_reply &reply,
                                                        std::size_t max_bytes);
[[nodiscard]] Result<std::string> write_age_reply(std::int64_t age_ms, std::size_t max_bytes);

}  // namespace pq

#endif
