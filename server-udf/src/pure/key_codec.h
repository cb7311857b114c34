// Key values between three forms: as InnoDB stores them, as the reply writes them, as SQL types.

#ifndef MYSQL_PQ_PURE_KEY_CODEC_H
#define MYSQL_PQ_PURE_KEY_CODEC_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pure/error.h"

namespace pq {

// Says how InnoDB stores a key part. Each kind has one entry in the table of codecs. A new type is
// a new kind and a new entry.
enum class Key_kind : std::uint8_t {
  unsupported,
  signed_integer,    // big-endian, sign bit flipped, 1 to 8 bytes
  unsigned_integer,  // big-endian, 1 to 8 bytes; also ENUM, SET and BIT
  year,              // one byte, 0 or years since 1900
  decimal,           // groups of 9 digits, big-endian; a negative number has all bits inverted
  float_number,      // IEEE 754, little-endian
  double_number,     // the same
  date,              // year, month and day in 3 bytes, as a signed integer
  time,              // hours to fraction of a second, as a signed integer
  datetime,          // the same from years, never negative
  timestamp,         // seconds since 1970 in UTC and their fraction
  text,              // bytes of the column's charset, variable length
  padded_text,       // the same, with trailing spaces that are no part of the value
  binary,            // bytes, variable length
  padded_binary      // bytes, always all of them: trailing zeros are part of the value
};

// One part of the physical key: what the reply says of it and what a codec needs.
struct Key_column {
  std::string name;
  std::string type;  // SQL name in lower case: "bigint", "varchar"
  Key_kind kind = Key_kind::unsupported;
  bool is_unsigned = false;
  bool nullable = false;
  bool descending = false;
  std::optional<std::string> charset;    // of text
  std::optional<std::string> collation;  // of text
  std::optional<std::uint32_t> prefix;   // characters of text, bytes of binary
  std::uint32_t max_bytes = 0;           // as stored; of an integer, exactly
  std::uint8_t space_bytes = 1;          // of one space in the charset (2 in utf16, 4 in utf32)
  std::uint8_t precision = 0;            // digits of DECIMAL
  std::uint8_t scale = 0;                // those after the point, of DECIMAL and of seconds
  std::uint64_t greatest =
      UINT64_MAX;  // the column may hold fewer unsigned integers than its bytes
  // MySQL orders ENUM and SET as numbers, but reads no range of them by < or >, only lists of
  // values.
  bool is_listed = false;
};

// Name of the kind's encoding in the reply, or nothing if it has none yet.
[[nodiscard]] std::optional<std::string_view> encoding_of(Key_kind kind);

// Decodes stored bytes, which are not NULL, into the reply's value. Fails with unusable_table if
// the bytes have the wrong length or stand for no value of the column.
[[nodiscard]] Result<std::string> decode_key(const Key_column &column, std::string_view stored);

// Encodes the reply's value, which is not NULL, into stored bytes of exactly the length that InnoDB
// compares, so that comparing them reads nothing beyond them. Fails with bad_argument if the column
// cannot hold the value.
[[nodiscard]] Result<std::string> encode_key(const Key_column &column, std::string_view written);

}  // namespace pq

#endif
