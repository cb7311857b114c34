// Reads the JSON of the options argument: strict RFC 8259, bounded in size and depth.

#ifndef MYSQL_PQ_PURE_JSON_READER_H
#define MYSQL_PQ_PURE_JSON_READER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pure/error.h"

namespace pq {

struct Json {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;                // of a string, decoded; of a number, as it was written
  std::vector<Json> items;         // of an array; of an object, the members' values
  std::vector<std::string> names;  // of an object's members, in the order of items
};

// 16 key parts of 3072 bytes, as hex, twice, fit well.
constexpr std::size_t max_json_bytes = 64 * 1024;
constexpr unsigned max_json_depth = 32;
// Each takes some hundred bytes of memory.
constexpr unsigned max_json_values = 32 * 1024;

// The text must be UTF-8. A repeated member name, trailing text or a lone surrogate is an error.
[[nodiscard]] Result<Json> read_json(std::string_view text, std::size_t max_bytes = max_json_bytes);

}  // namespace pq

#endif
