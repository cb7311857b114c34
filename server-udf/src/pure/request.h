// What a caller asks for, checked against the rules of docs/protocol.md.

#ifndef MYSQL_PQ_PURE_REQUEST_H
#define MYSQL_PQ_PURE_REQUEST_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pure/error.h"

namespace pq {

// An argument as the server hands it over: SQL NULL, text in UTF-8, an integer, or another type.
struct Other_type {};
using Argument = std::variant<std::monostate, std::string_view, std::int64_t, Other_type>;

// A key value as it was written in the options; nothing stands for SQL NULL. Its column gives it a
// meaning (see key_codec.h).
using Written_value = std::optional<std::string>;

struct Target {
  std::string schema;
  std::string table;
  std::string index;
  std::optional<std::string> partition;
};

struct Scan_request;

struct Range_request {
  Target target;
  std::int64_t count_requested = 0;
  std::uint32_t count = 0;           // after clamping to the limit
  std::vector<Written_value> lower;  // empty: no bound
  std::vector<Written_value> upper;
  bool leaf = false;
  std::vector<std::string> off_page;  // columns whose values off-page count in what is even
  std::shared_ptr<Scan_request>
      scan;  // which is to read the ranges, by columns and conditions; null if none is told

  [[nodiscard]] bool count_clamped() const { return count_requested != count; }
};

constexpr std::size_t max_identifier_characters = 64;
constexpr std::size_t max_key_parts = 16;
constexpr std::int64_t max_count = 2147483647;

// Arguments schema, table, index, count and options (may be SQL NULL).
[[nodiscard]] Result<Range_request> read_range_request(const Argument &schema,
                                                       const Argument &table, const Argument &index,
                                                       const Argument &count,
                                                       const Argument &options,
                                                       std::uint32_t max_ranges);

// Arguments schema, table, index and partition (may be SQL NULL).
[[nodiscard]] Result<Target> read_target(const Argument &schema, const Argument &table,
                                         const Argument &index, const Argument &partition);

// Arguments schema and table; the target names no index.
[[nodiscard]] Result<Target> read_table(const Argument &schema, const Argument &table);

}  // namespace pq

#endif
