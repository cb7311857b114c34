#include "pure/readable_key.h"

#include "pure/hex.h"
#include "pure/utf8.h"

namespace pq {

namespace {

std::string write_value(const Key_column &column, const std::optional<std::string> &value) {
  if (!value) return "NULL";
  if (encoding_of(column.kind) == "binary") return "0x" + *value;
  if (encoding_of(column.kind) != "text") return *value;
  const auto bytes = from_hex(*value);
  if (column.charset == "utf8mb4" && bytes && utf8_length(*bytes)) return "'" + *bytes + "'";
  return "0x" + *value;
}

}  // namespace

std::string write_readable_key(const std::vector<Key_column> &columns, const Boundary &boundary) {
  std::string text;
  for (std::size_t i = 0; i < boundary.size(); ++i) {
    if (i > 0) text += ", ";
    text += write_value(columns[i], boundary[i]);
  }
  return text;
}

}  // namespace pq
