// The codecs behind key_codec.h, one pair of functions for each way of storing.

#ifndef MYSQL_PQ_PURE_CODECS_H
#define MYSQL_PQ_PURE_CODECS_H

#include "pure/key_codec.h"

namespace pq::codecs {

// The value as it was written and the rule that it breaks.
[[nodiscard]] std::unexpected<Error> bad_value(const Key_column &column, std::string_view written,
                                               std::string_view rule);

// Stored bytes that no value of the column has.
[[nodiscard]] std::unexpected<Error> bad_bytes(const Key_column &column, std::string_view stored);

// At most 8 bytes.
[[nodiscard]] std::uint64_t load_big_endian(std::string_view stored);
[[nodiscard]] std::string store_big_endian(std::uint64_t value, std::size_t bytes);

[[nodiscard]] Result<std::string> decode_signed(const Key_column &column, std::string_view stored);
[[nodiscard]] Result<std::string> encode_signed(const Key_column &column, std::string_view written);
[[nodiscard]] Result<std::string> decode_unsigned(const Key_column &column,
                                                  std::string_view stored);
[[nodiscard]] Result<std::string> encode_unsigned(const Key_column &column,
                                                  std::string_view written);
[[nodiscard]] Result<std::string> decode_year(const Key_column &column, std::string_view stored);
[[nodiscard]] Result<std::string> encode_year(const Key_column &column, std::string_view written);

[[nodiscard]] Result<std::string> decode_decimal(const Key_column &column, std::string_view stored);
[[nodiscard]] Result<std::string> encode_decimal(const Key_column &column,
                                                 std::string_view written);

[[nodiscard]] Result<std::string> decode_float(const Key_column &column, std::string_view stored);
[[nodiscard]] Result<std::string> encode_float(const Key_column &column, std::string_view written);
[[nodiscard]] Result<std::string> decode_double(const Key_column &column, std::string_view stored);
[[nodiscard]] Result<std::string> encode_double(const Key_column &column, std::string_view written);

[[nodiscard]] Result<std::string> decode_date(const Key_column &column, std::string_view stored);
[[nodiscard]] Result<std::string> encode_date(const Key_column &column, std::string_view written);
[[nodiscard]] Result<std::string> decode_time(const Key_column &column, std::string_view stored);
[[nodiscard]] Result<std::string> encode_time(const Key_column &column, std::string_view written);
[[nodiscard]] Result<std::string> decode_datetime(const Key_column &column,
                                                  std::string_view stored);
[[nodiscard]] Result<std::string> encode_datetime(const Key_column &column,
                                                  std::string_view written);
[[nodiscard]] Result<std::string> decode_timestamp(const Key_column &column,
                                                   std::string_view stored);
[[nodiscard]] Result<std::string> encode_timestamp(const Key_column &column,
                                                   std::string_view written);

[[nodiscard]] Result<std::string> decode_text(const Key_column &column, std::string_view stored);
[[nodiscard]] Result<std::string> decode_padded_text(const Key_column &column,
                                                     std::string_view stored);
[[nodiscard]] Result<std::string> encode_text(const Key_column &column, std::string_view written);
[[nodiscard]] Result<std::string> decode_padded_binary(const Key_column &column,
                                                       std::string_view stored);
[[nodiscard]] Result<std::string> encode_padded_binary(const Key_column &column,
                                                       std::string_view written);

}  // namespace pq::codecs

#endif
