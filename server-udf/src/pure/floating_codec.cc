#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "pure/codecs.h"

namespace pq::codecs {

namespace {

constexpr std::string_view float_rule = "finite numbers that FLOAT holds exactly";
constexpr std::string_view double_rule = "finite numbers";

std::uint64_t load_little_endian(std::string_view stored) {
  return load_big_endian(std::string(stored.rbegin(), stored.rend()));
}

std::string store_little_endian(std::uint64_t value, std::size_t bytes) {
  const std::string reversed = store_big_endian(value, bytes);
  return {reversed.rbegin(), reversed.rend()};
}

// The shortest text that reads back as the same double. Zero has no sign: both zeros are equal.
std::string write_double(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value + 0.0,
                                 std::chars_format::scientific)
                       .ptr;
  return {text.data(), end};
}

std::optional<double> parse_double(const Key_column &column, std::string_view written) {
  double value = 0;
  const char *end = written.data() + written.size();
  const auto [stop, error] = std::from_chars(written.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  if (column.is_unsigned && value < 0) return std::nullopt;
  return value + 0.0;
}

}  // namespace

Result<std::string> decode_float(const Key_column &column, std::string_view stored) {
  if (stored.size() != sizeof(float)) return bad_bytes(column, stored);
  const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(load_little_endian(stored)));
  if (!std::isfinite(value)) return bad_bytes(column, stored);
  return write_double(value);
}

Result<std::string> encode_float(const Key_column &column, std::string_view written) {
  const auto value = parse_double(column, written);
  if (!value || std::fabs(*value) > std::numeric_limits<float>::max()) {
    return bad_value(column, written, float_rule);
  }
  const auto narrow = static_cast<float>(*value);
  if (static_cast<double>(narrow) != *value) return bad_value(column, written, float_rule);
  return store_little_endian(std::bit_cast<std::uint32_t>(narrow), sizeof narrow);
}

Result<std::string> decode_double(const Key_column &column, std::string_view stored) {
  if (stored.size() != sizeof(double)) return bad_bytes(column, stored);
  const auto value = std::bit_cast<double>(load_little_endian(stored));
  if (!std::isfinite(value)) return bad_bytes(column, stored);
  return write_double(value);
}

Result<std::string> encode_double(const Key_column &column, std::string_view written) {
  const auto value = parse_double(column, written);
  if (!value) return bad_value(column, written, double_rule);
  return store_little_endian(std::bit_cast<std::uint64_t>(*value), sizeof *value);
}

}  // namespace pq::codecs
