#include "pure/key_codec.h"

#include <array>
#include <charconv>

#include "pure/hex.h"
#include "pure/utf8.h"

namespace pq {

namespace {

using Decode = Result<std::string> (*)(const Key_column &, std::string_view);
using Encode = Result<std::string> (*)(const Key_column &, std::string_view);

struct Codec {
  Key_kind kind;
  std::string_view encoding;
  Decode decode;
  Encode encode;
};

std::unexpected<Error> bad_value(const Key_column &column, std::string_view written) {
  return fail(Code::bad_argument,
              "key value '" + printable(written) + "' does not fit column '" +
                  printable(column.name) + "' of type " + column.type +
                  (column.kind == Key_kind::unsigned_integer ? " unsigned" : ""));
}

Result<std::uint64_t> load_big_endian(const Key_column &column, std::string_view stored) {
  if (stored.size() != column.max_bytes || stored.empty() || stored.size() > 8) {
    return fail(Code::unusable_table, "column '" + printable(column.name) + "' has a key of " +
                                          std::to_string(stored.size()) + " bytes");
  }
  std::uint64_t value = 0;
  for (const char c : stored) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

std::string store_big_endian(std::uint64_t value, std::uint32_t bytes) {
  std::string stored(bytes, '\0');
  for (auto it = stored.rbegin(); it != stored.rend(); ++it, value >>= 8) {
    *it = static_cast<char>(value & 0xFF);
  }
  return stored;
}

std::uint64_t sign_bit(const Key_column &column) {
  return std::uint64_t{1} << (8 * column.max_bytes - 1);
}

// The whole text must be one canonical number: no sign but '-', no space, no leading zero.
template <class Integer>
std::optional<Integer> parse_integer(std::string_view written) {
  Integer value{};
  const char *end = written.data() + written.size();
  const auto [stop, error] = std::from_chars(written.data(), end, value);
  if (error != std::errc() || stop != end || std::to_string(value) != written) return std::nullopt;
  return value;
}

Result<std::string> decode_signed(const Key_column &column, std::string_view stored) {
  const auto flipped = load_big_endian(column, stored);
  if (!flipped) return std::unexpected(flipped.error());
  // Flipping the sign bit back and moving the number by 2^(n-1) are the same; the latter extends
  // the sign to 64 bits as well.
  return std::to_string(static_cast<std::int64_t>(*flipped - sign_bit(column)));
}

Result<std::string> encode_signed(const Key_column &column, std::string_view written) {
  const auto value = parse_integer<std::int64_t>(written);
  if (!value) return bad_value(column, written);
  const std::uint64_t flipped = static_cast<std::uint64_t>(*value) + sign_bit(column);
  const unsigned spare_bits = 64 - 8 * column.max_bytes;
  if (flipped << spare_bits >> spare_bits != flipped) return bad_value(column, written);
  return store_big_endian(flipped, column.max_bytes);
}

Result<std::string> decode_unsigned(const Key_column &column, std::string_view stored) {
  const auto value = load_big_endian(column, stored);
  if (!value) return std::unexpected(value.error());
  return std::to_string(*value);
}

Result<std::string> encode_unsigned(const Key_column &column, std::string_view written) {
  const auto value = parse_integer<std::uint64_t>(written);
  if (!value) return bad_value(column, written);
  const unsigned spare_bits = 64 - 8 * column.max_bytes;
  if (*value << spare_bits >> spare_bits != *value) return bad_value(column, written);
  return store_big_endian(*value, column.max_bytes);
}

Result<std::string> decode_text(const Key_column &column, std::string_view stored) {
  if (stored.size() > column.max_bytes) {
    return fail(Code::unusable_table, "column '" + printable(column.name) + "' has too long a key");
  }
  return to_hex(stored);
}

Result<std::string> encode_text(const Key_column &column, std::string_view written) {
  auto bytes = from_hex(written);
  if (!bytes || bytes->size() > column.max_bytes) return bad_value(column, written);
  if (bytes->size() % column.space_bytes != 0) return bad_value(column, written);
  return std::move(*bytes);
}

// Drops the padding of CHAR, which a NO PAD collation would compare in SQL but not in the index.
std::string_view strip_spaces(const Key_column &column, std::string_view stored) {
  std::string space(column.space_bytes, '\0');
  // The server's only little-endian charset of wide characters.
  (column.charset == "utf16le" ? space.front() : space.back()) = ' ';
  while (stored.ends_with(space)) stored.remove_suffix(space.size());
  return stored;
}

Result<std::string> decode_padded_text(const Key_column &column, std::string_view stored) {
  return decode_text(column, strip_spaces(column, stored));
}

constexpr std::array codecs{
    Codec{Key_kind::signed_integer, "integer", decode_signed, encode_signed},
    Codec{Key_kind::unsigned_integer, "integer", decode_unsigned, encode_unsigned},
    Codec{Key_kind::text, "text", decode_text, encode_text},
    Codec{Key_kind::padded_text, "text", decode_padded_text, encode_text},
};

const Codec *find_codec(Key_kind kind) {
  for (const Codec &codec : codecs) {
    if (codec.kind == kind) return &codec;
  }
  return nullptr;
}

std::unexpected<Error> no_codec(const Key_column &column) {
  return fail(Code::unsupported_key, "column '" + printable(column.name) + "' of type " +
                                         column.type + " has no encoding yet");
}

}  // namespace

std::optional<std::string_view> encoding_of(Key_kind kind) {
  const Codec *codec = find_codec(kind);
  if (codec == nullptr) return std::nullopt;
  return codec->encoding;
}

Result<std::string> decode_key(const Key_column &column, std::string_view stored) {
  const Codec *codec = find_codec(column.kind);
  return codec == nullptr ? Result<std::string>(no_codec(column)) : codec->decode(column, stored);
}

Result<std::string> encode_key(const Key_column &column, std::string_view written) {
  const Codec *codec = find_codec(column.kind);
  return codec == nullptr ? Result<std::string>(no_codec(column)) : codec->encode(column, written);
}

}  // namespace pq
