#include "pure/codecs.h"
#include "pure/hex.h"

namespace pq::codecs {

namespace {

// Drops the padding of CHAR, which a NO PAD collation would compare in SQL but not in the index.
std::string_view strip_spaces(const Key_column &column, std::string_view stored) {
  std::string space(column.space_bytes, '\0');
  // The server's only little-endian charset of wide characters.
  (column.charset == "utf16le" ? space.front() : space.back()) = ' ';
  while (stored.ends_with(space)) stored.remove_suffix(space.size());
  return stored;
}

}  // namespace

Result<std::string> decode_text(const Key_column &column, std::string_view stored) {
  if (stored.size() > column.max_bytes) return bad_bytes(column, stored);
  return to_hex(stored);
}

Result<std::string> decode_padded_text(const Key_column &column, std::string_view stored) {
  return decode_text(column, strip_spaces(column, stored));
}

Result<std::string> encode_text(const Key_column &column, std::string_view written) {
  auto bytes = from_hex(written);
  if (!bytes || bytes->size() > column.max_bytes || bytes->size() % column.space_bytes != 0) {
    return bad_value(column, written,
                     "at most " + std::to_string(column.max_bytes) + " bytes in hex");
  }
  return std::move(*bytes);
}

Result<std::string> decode_padded_binary(const Key_column &column, std::string_view stored) {
  if (stored.size() != column.max_bytes) return bad_bytes(column, stored);
  return to_hex(stored);
}

Result<std::string> encode_padded_binary(const Key_column &column, std::string_view written) {
  auto bytes = from_hex(written);
  if (!bytes || bytes->size() != column.max_bytes) {
    return bad_value(column, written,
                     "exactly " + std::to_string(column.max_bytes) + " bytes in hex");
  }
  return std::move(*bytes);
}

}  // namespace pq::codecs
