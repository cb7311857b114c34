#include "pure/request.h"

#include <algorithm>
#include <charconv>

#include "pure/json_reader.h"
#include "pure/utf8.h"

namespace pq {

namespace {

std::unexpected<Error> bad(std::string_view argument, std::string_view rule) {
  return fail(Code::bad_argument, std::string(argument) + " " + std::string(rule));
}

Result<std::string> check_identifier(std::string_view argument, std::string_view text) {
  const std::string given = std::string(argument) + " '" + printable(text) + "'";
  const auto characters = utf8_length(text);
  if (!characters) return bad(given, "must be valid UTF-8");
  if (text.contains('\0')) return bad(given, "must not contain a zero byte");
  // MySQL's dictionary cuts a name before such a character, finds another table, and waits for ever
  // for the one that it was asked for.
  if (std::ranges::any_of(text,
                          [](char byte) { return static_cast<unsigned char>(byte) >= 0xF0; })) {
    return bad(given, "must not contain a character beyond U+FFFF");
  }
  if (*characters < 1 || *characters > max_identifier_characters) {
    return bad(given, "must have 1 to 64 characters");
  }
  return std::string(text);
}

Result<std::string> read_identifier(std::string_view name, const Argument &argument) {
  if (std::holds_alternative<std::monostate>(argument)) return bad(name, "must not be NULL");
  const auto *text = std::get_if<std::string_view>(&argument);
  if (text == nullptr) return bad(name, "must be a string");
  return check_identifier(name, *text);
}

// A parameter of a prepared statement may arrive as text.
std::optional<std::int64_t> as_integer(const Argument &argument) {
  if (const auto *integer = std::get_if<std::int64_t>(&argument)) return *integer;
  const auto *text = std::get_if<std::string_view>(&argument);
  if (text == nullptr) return std::nullopt;
  std::int64_t value = 0;
  const char *end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

Result<std::int64_t> read_count(const Argument &argument) {
  if (std::holds_alternative<std::monostate>(argument)) return bad("count", "must not be NULL");
  const auto count = as_integer(argument);
  if (!count) return bad("count", "must be an integer from 1 to 2147483647");
  if (*count < 1 || *count > max_count) {
    return bad("count " + std::to_string(*count), "must be 1 to 2147483647");
  }
  return *count;
}

Result<Written_value> read_bound_value(std::string_view name, const Json &json) {
  if (json.kind == Json::Kind::null) return Written_value();
  if (json.kind != Json::Kind::string) return bad(name, "must hold strings and nulls");
  return Written_value(json.text);
}

Result<std::vector<Written_value>> read_bound(std::string_view name, const Json &json) {
  if (json.kind != Json::Kind::array) return bad(name, "must be an array");
  if (json.items.empty() || json.items.size() > max_key_parts) {
    return bad(name, "must hold 1 to 16 key values");
  }
  std::vector<Written_value> values;
  for (const Json &item : json.items) {
    auto value = read_bound_value(name, item);
    if (!value) return std::unexpected(value.error());
    values.push_back(std::move(*value));
  }
  return values;
}

// Moves a successful result to its place.
template <class T, class U>
Result<void> assign(T &place, Result<U> result) {
  if (!result) return std::unexpected(std::move(result.error()));
  place = std::move(*result);
  return {};
}

Result<void> read_partition(Range_request &request, const Json &json) {
  if (json.kind != Json::Kind::string) return bad("options.partition", "must be a string");
  return assign(request.target.partition, check_identifier("options.partition", json.text));
}

Result<void> read_leaf(Range_request &request, const Json &json) {
  if (json.kind != Json::Kind::boolean) return bad("options.leaf", "must be true or false");
  request.leaf = json.boolean;
  return {};
}

Result<void> read_option(Range_request &request, const std::string &name, const Json &json) {
  if (name == "partition") return read_partition(request, json);
  if (name == "lower") return assign(request.lower, read_bound("options.lower", json));
  if (name == "upper") return assign(request.upper, read_bound("options.upper", json));
  if (name == "leaf") return read_leaf(request, json);
  return bad("options." + printable(name), "is not a known option");
}

Result<void> read_options(Range_request &request, const Argument &argument) {
  if (std::holds_alternative<std::monostate>(argument)) return {};
  const auto *text = std::get_if<std::string_view>(&argument);
  if (text == nullptr) return bad("options", "must be a JSON object or NULL");
  const auto json = read_json(*text);
  if (!json) return std::unexpected(json.error());
  if (json->kind != Json::Kind::object) return bad("options", "must be a JSON object or NULL");
  for (std::size_t i = 0; i < json->names.size(); ++i) {
    if (auto read = read_option(request, json->names[i], json->items[i]); !read) return read;
  }
  return {};
}

Result<void> read_names(Target &target, const Argument &schema, const Argument &table) {
  auto read = assign(target.schema, read_identifier("schema", schema));
  if (read) read = assign(target.table, read_identifier("table", table));
  return read;
}

Result<void> read_index(Target &target, const Argument &schema, const Argument &table,
                        const Argument &index) {
  auto read = read_names(target, schema, table);
  if (read) read = assign(target.index, read_identifier("index", index));
  return read;
}

}  // namespace

Result<Range_request> read_range_request(const Argument &schema, const Argument &table,
                                         const Argument &index, const Argument &count,
                                         const Argument &options, std::uint32_t max_ranges) {
  Range_request request;
  auto read = read_index(request.target, schema, table, index);
  if (read) read = assign(request.count_requested, read_count(count));
  if (read) read = read_options(request, options);
  if (!read) return std::unexpected(std::move(read.error()));
  const auto limit = static_cast<std::int64_t>(max_ranges);
  request.count = static_cast<std::uint32_t>(std::min(request.count_requested, limit));
  return request;
}

Result<Target> read_target(const Argument &schema, const Argument &table, const Argument &index,
                           const Argument &partition) {
  Target target;
  auto read = read_index(target, schema, table, index);
  if (read && !std::holds_alternative<std::monostate>(partition)) {
    read = assign(target.partition, read_identifier("partition", partition));
  }
  if (!read) return std::unexpected(std::move(read.error()));
  return target;
}

Result<Target> read_table(const Argument &schema, const Argument &table) {
  Target target;
  if (auto read = read_names(target, schema, table); !read) {
    return std::unexpected(std::move(read.error()));
  }
  return target;
}

}  // namespace pq
