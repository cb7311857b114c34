#include "pure/validation.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "pure/arguments.h"
#include "pure/utf8.h"

namespace pq {

namespace {

using namespace arguments;

Result<Known_piece> read_piece(const Json &json) {
  constexpr std::string_view name = "validator.pieces";
  if (json.kind != Json::Kind::array || json.items.size() != 2 ||
      json.items[0].kind != Json::Kind::string) {
    return bad(name, "must hold pairs of a validator and a key");
  }
  Known_piece piece;
  if (!json.items[0].text.empty()) {
    if (auto read = assign(piece.validator, read_validator(json.items[0].text)); !read) {
      return std::unexpected(read.error());
    }
  }
  if (json.items[1].kind == Json::Kind::null) return piece;
  if (auto read = assign(piece.end, read_bound(name, json.items[1])); !read) {
    return std::unexpected(read.error());
  }
  return piece;
}

Result<void> read_pieces(std::vector<Known_piece> &pieces, const Json &json) {
  constexpr std::string_view name = "validator.pieces";
  if (json.kind != Json::Kind::array || json.items.size() > max_known_pieces) {
    return bad(name, "must be an array of at most 1024");
  }
  for (const Json &item : json.items) {
    if (!pieces.empty() && pieces.back().end.empty()) {
      return bad(name, "must have null for the key of the last one only");
    }
    auto piece = read_piece(item);
    if (!piece) return std::unexpected(piece.error());
    pieces.push_back(std::move(*piece));
  }
  if (pieces.empty() || pieces.back().end.empty()) return {};
  return bad(name, "must have null for the key of the last one");
}

Result<void> read_member(Validation &validation, const std::string &name, const Json &json) {
  if (name == "after") return assign(validation.after, read_bound("validator.after", json));
  if (name == "pieces") return read_pieces(validation.known, json);
  if (name == "piece_rows") {
    return read_number(validation.piece_rows, "validator.piece_rows", json, 1, max_piece_rows);
  }
  return bad("a validator", "has no member '" + printable(name) + "'");
}

Result<Validation> read_object(std::string_view text) {
  const auto json = read_json(text, max_validation_bytes);
  if (!json) return std::unexpected(json.error());
  Validation validation;
  validation.by_pieces = true;
  for (std::size_t i = 0; i < json->names.size(); ++i) {
    if (auto read = read_member(validation, json->names[i], json->items[i]); !read) {
      return std::unexpected(read.error());
    }
  }
  return validation;
}

Result<Validation> read_text(std::string_view text) {
  Validation validation;
  if (text.empty()) return validation;
  auto validator = read_validator(text);
  if (!validator) return std::unexpected(validator.error());
  validation.known.push_back({std::move(*validator), {}});
  return validation;
}

}  // namespace

Result<std::optional<Validation>> read_validation(const Argument &argument) {
  if (std::holds_alternative<std::monostate>(argument)) return std::nullopt;
  const auto *text = std::get_if<std::string_view>(&argument);
  if (text == nullptr) return bad("a validator", "must be a string");
  return text->starts_with('{') ? read_object(*text) : read_text(*text);
}

}  // namespace pq
