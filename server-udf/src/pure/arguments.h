// Reads arguments of the SQL functions and members of their options, by the rules of
// docs/protocol.md.

#ifndef MYSQL_PQ_PURE_ARGUMENTS_H
#define MYSQL_PQ_PURE_ARGUMENTS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pure/error.h"
#include "pure/json_reader.h"
#include "pure/request.h"
#include "pure/snapshot_token.h"

namespace pq::arguments {

// Makes an error bad_argument that says what was given and which rule it breaks.
[[nodiscard]] std::unexpected<Error> bad(std::string_view argument, std::string_view rule);
[[nodiscard]] std::unexpected<Error> unknown_option(std::string_view name);

// A name of a schema, table, index, column or partition.
[[nodiscard]] Result<std::string> check_identifier(std::string_view argument,
                                                   std::string_view text);
[[nodiscard]] Result<std::string> read_identifier(std::string_view name, const Argument &argument);

// Schema and table; and index.
[[nodiscard]] Result<void> read_names(Target &target, const Argument &schema,
                                      const Argument &table);
[[nodiscard]] Result<void> read_index(Target &target, const Argument &schema, const Argument &table,
                                      const Argument &index);

[[nodiscard]] Result<Snapshot_token> read_token_argument(const Argument &argument);

// A parameter of a prepared statement may arrive as text.
[[nodiscard]] std::optional<std::int64_t> as_integer(const Argument &argument);

// The options; an empty object if they are SQL NULL.
[[nodiscard]] Result<Json> read_options(const Argument &argument, std::size_t max_bytes);

// Members of options.
[[nodiscard]] Result<std::string> read_partition(const Json &json);
[[nodiscard]] Result<Written_value> read_value(std::string_view name, const Json &json);
[[nodiscard]] Result<std::vector<Written_value>> read_bound(std::string_view name,
                                                            const Json &json);

[[nodiscard]] Result<void> read_number(std::uint32_t &place, std::string_view name,
                                       const Json &json, std::uint32_t least, std::uint32_t most);

// Moves a successful result to its place.
template <class T, class U>
[[nodiscard]] Result<void> assign(T &place, Result<U> result) {
  if (!result) return std::unexpected(std::move(result.error()));
  place = std::move(*result);
  return {};
}

}  // namespace pq::arguments

#endif
