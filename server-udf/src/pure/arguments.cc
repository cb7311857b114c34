#include "pure/arguments.h"

#include <algorithm>
#include <charconv>

#include "pure/utf8.h"

namespace pq::arguments {

std::unexpected<Error> bad(std::string_view argument, std::string_view rule) {
  return fail(Code::bad_argument, std::string(argument) + " " + std::string(rule));
}

std::unexpected<Error> unknown_option(std::string_view name) {
  return bad("options." + printable(name), "is not a known option");
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

Result<Snapshot_token> read_token_argument(const Argument &argument) {
  const auto *text = std::get_if<std::string_view>(&argument);
  const auto token = text == nullptr ? std::nullopt : read_token(*text);
  if (!token) return bad("a token", "must be a string of 32 lower-case hex digits");
  return *token;
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

Result<Written_value> read_value(std::string_view name, const Json &json) {
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
    auto value = read_value(name, item);
    if (!value) return std::unexpected(value.error());
    values.push_back(std::move(*value));
  }
  return values;
}

Result<std::string> read_partition(const Json &json) {
  if (json.kind != Json::Kind::string) return bad("options.partition", "must be a string");
  return check_identifier("options.partition", json.text);
}

Result<void> read_number(std::uint32_t &place, std::string_view name, const Json &json,
                         std::uint32_t least, std::uint32_t most) {
  std::uint32_t value = 0;
  const char *end = json.text.data() + json.text.size();
  const auto [stop, error] = std::from_chars(json.text.data(), end, value);
  const bool whole = json.kind == Json::Kind::number && error == std::errc() && stop == end;
  if (!whole || value < least || value > most) {
    return bad(name,
               "must be an integer from " + std::to_string(least) + " to " + std::to_string(most));
  }
  place = value;
  return {};
}

Result<Json> read_options(const Argument &argument, std::size_t max_bytes) {
  Json none;
  none.kind = Json::Kind::object;
  if (std::holds_alternative<std::monostate>(argument)) return none;
  const auto *text = std::get_if<std::string_view>(&argument);
  if (text == nullptr) return bad("options", "must be a JSON object or NULL");
  auto json = read_json(*text, max_bytes);
  if (json && json->kind != Json::Kind::object) {
    return bad("options", "must be a JSON object or NULL");
  }
  return json;
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

}  // namespace pq::arguments
