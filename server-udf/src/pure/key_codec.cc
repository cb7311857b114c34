#include "pure/key_codec.h"

#include <array>

#include "pure/codecs.h"
#include "pure/utf8.h"

namespace pq {

namespace {

using namespace codecs;

using Decode = Result<std::string> (*)(const Key_column &, std::string_view);
using Encode = Result<std::string> (*)(const Key_column &, std::string_view);

struct Codec {
  Key_kind kind;
  std::string_view encoding;
  Decode decode;
  Encode encode;
};

constexpr std::array all_codecs{
    Codec{Key_kind::signed_integer, "integer", decode_signed, encode_signed},
    Codec{Key_kind::unsigned_integer, "integer", decode_unsigned, encode_unsigned},
    Codec{Key_kind::year, "integer", decode_year, encode_year},
    Codec{Key_kind::decimal, "decimal", decode_decimal, encode_decimal},
    Codec{Key_kind::float_number, "double", decode_float, encode_float},
    Codec{Key_kind::double_number, "double", decode_double, encode_double},
    Codec{Key_kind::date, "date", decode_date, encode_date},
    Codec{Key_kind::time, "time", decode_time, encode_time},
    Codec{Key_kind::datetime, "datetime", decode_datetime, encode_datetime},
    Codec{Key_kind::timestamp, "datetime", decode_timestamp, encode_timestamp},
    Codec{Key_kind::text, "text", decode_text, encode_text},
    Codec{Key_kind::padded_text, "text", decode_padded_text, encode_text},
    Codec{Key_kind::binary, "binary", decode_text, encode_text},
    Codec{Key_kind::padded_binary, "binary", decode_padded_binary, encode_padded_binary},
};

const Codec *find_codec(Key_kind kind) {
  for (const Codec &codec : all_codecs) {
    if (codec.kind == kind) return &codec;
  }
  return nullptr;
}

std::unexpected<Error> no_codec(const Key_column &column) {
  return fail(Code::unsupported_key, "column '" + printable(column.name) + "' of type " +
                                         column.type + " has no encoding yet");
}

}  // namespace

namespace codecs {

std::unexpected<Error> bad_value(const Key_column &column, std::string_view written,
                                 std::string_view rule) {
  return fail(Code::bad_argument, "key value '" + printable(written) + "' does not fit column '" +
                                      printable(column.name) + "' of type " + column.type +
                                      (column.is_unsigned ? " unsigned" : "") + ", which takes " +
                                      std::string(rule));
}

std::unexpected<Error> bad_bytes(const Key_column &column, std::string_view stored) {
  return fail(Code::unusable_table,
              "column '" + printable(column.name) + "' of type " + column.type + " has a key of " +
                  std::to_string(stored.size()) + " bytes that are not a value of this type");
}

}  // namespace codecs

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
