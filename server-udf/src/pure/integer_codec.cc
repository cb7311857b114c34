#include <algorithm>
#include <charconv>

#include "pure/codecs.h"

namespace pq::codecs {

namespace {

constexpr std::uint64_t first_year = 1900;

bool is_of_length(const Key_column &column, std::string_view stored) {
  return stored.size() == column.max_bytes && !stored.empty() && stored.size() <= 8;
}

std::uint64_t sign_bit(const Key_column &column) {
  return std::uint64_t{1} << (8 * column.max_bytes - 1);
}

bool fits_bytes(std::uint64_t value, std::uint32_t bytes) {
  return bytes == 8 || value >> (8 * bytes) == 0;
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

std::string rule_of_unsigned(const Key_column &column) {
  const std::uint64_t of_bytes = UINT64_MAX >> (64 - 8 * column.max_bytes);
  return "integers from 0 to " + std::to_string(std::min(of_bytes, column.greatest));
}

}  // namespace

std::uint64_t load_big_endian(std::string_view stored) {
  std::uint64_t value = 0;
  for (const char c : stored) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

std::string store_big_endian(std::uint64_t value, std::size_t bytes) {
  std::string stored(bytes, '\0');
  for (auto it = stored.rbegin(); it != stored.rend(); ++it, value >>= 8) {
    *it = static_cast<char>(value & 0xFF);
  }
  return stored;
}

Result<std::string> decode_signed(const Key_column &column, std::string_view stored) {
  if (!is_of_length(column, stored)) return bad_bytes(column, stored);
  // Flipping the sign bit back and moving the number by 2^(n-1) are the same; the latter extends
  // the sign to 64 bits as well.
  return std::to_string(static_cast<std::int64_t>(load_big_endian(stored) - sign_bit(column)));
}

Result<std::string> encode_signed(const Key_column &column, std::string_view written) {
  const auto value = parse_integer<std::int64_t>(written);
  const std::uint64_t flipped = static_cast<std::uint64_t>(value.value_or(0)) + sign_bit(column);
  if (!value || !fits_bytes(flipped, column.max_bytes)) {
    return bad_value(column, written,
                     "integers of " + std::to_string(8 * column.max_bytes) + " bits");
  }
  return store_big_endian(flipped, column.max_bytes);
}

Result<std::string> decode_unsigned(const Key_column &column, std::string_view stored) {
  if (!is_of_length(column, stored)) return bad_bytes(column, stored);
  const std::uint64_t value = load_big_endian(stored);
  if (value > column.greatest) return bad_bytes(column, stored);
  return std::to_string(value);
}

Result<std::string> encode_unsigned(const Key_column &column, std::string_view written) {
  const auto value = parse_integer<std::uint64_t>(written);
  if (!value || *value > column.greatest || !fits_bytes(*value, column.max_bytes)) {
    return bad_value(column, written, rule_of_unsigned(column));
  }
  return store_big_endian(*value, column.max_bytes);
}

Result<std::string> decode_year(const Key_column &column, std::string_view stored) {
  if (stored.size() != 1) return bad_bytes(column, stored);
  const std::uint64_t value = load_big_endian(stored);
  return std::to_string(value == 0 ? 0 : first_year + value);
}

Result<std::string> encode_year(const Key_column &column, std::string_view written) {
  const auto year = parse_integer<std::uint64_t>(written);
  if (!year || (*year != 0 && (*year <= first_year || *year > first_year + 0xFF))) {
    return bad_value(column, written, "0 and years from 1901 to 2155");
  }
  return store_big_endian(*year == 0 ? 0 : *year - first_year, 1);
}

}  // namespace pq::codecs
