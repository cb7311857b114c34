#include <algorithm>
#include <vector>

#include "pure/codecs.h"
#include "pure/stored_numbers.h"

namespace pq::codecs {

namespace {

// How many digits each group of bytes holds: an incomplete group stands first before the point and
// last after it (strings/decimal.cc, decimal2bin).
std::vector<std::size_t> groups(const Key_column &column) {
  const std::size_t whole = std::size_t{column.precision} - column.scale;
  std::vector<std::size_t> digits{whole % group_digits};
  digits.insert(digits.end(), whole / group_digits, group_digits);
  digits.insert(digits.end(), column.scale / group_digits, group_digits);
  digits.push_back(column.scale % group_digits);
  return digits;
}

std::size_t bytes_of(const std::vector<std::size_t> &digits) {
  std::size_t bytes = 0;
  for (const std::size_t count : digits) bytes += bytes_of_digits[count];
  return bytes;
}

// The stored sign bit is 1 for positive numbers, and all bits of negative ones are inverted.
void convert_sign(std::string &bytes, bool negative) {
  if (negative) {
    for (char &c : bytes) c = static_cast<char>(~c);
  }
  bytes.front() = static_cast<char>(bytes.front() ^ 0x80);
}

// All digits without the point, or nothing if a group is larger than its digits.
std::optional<std::string> read_digits(const Key_column &column, std::string_view bytes) {
  std::string all;
  for (const std::size_t count : groups(column)) {
    const std::size_t size = bytes_of_digits[count];
    const std::string group = std::to_string(load_big_endian(bytes.substr(0, size)));
    if (count == 0) continue;
    if (group.size() > count) return std::nullopt;
    all.append(count - group.size(), '0').append(group);
    bytes.remove_prefix(size);
  }
  return all;
}

std::string write_number(const Key_column &column, bool negative, const std::string &digits) {
  const std::size_t whole = digits.size() - column.scale;
  const std::size_t first = std::min(digits.find_first_not_of('0'), whole);
  std::string text = negative && digits.find_first_not_of('0') != std::string::npos ? "-" : "";
  text += first == whole ? "0" : digits.substr(first, whole - first);
  if (column.scale > 0) text += "." + digits.substr(whole);
  return text;
}

std::uint64_t parse_digits(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

// All of the column's digits without the point, or nothing if the number has others.
std::optional<std::string> align_digits(const Key_column &column, std::string_view number) {
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string digits(number.substr(0, point));
  const std::size_t whole = std::size_t{column.precision} - column.scale;
  if (whole == 0 && digits == "0") digits.clear();
  if (digits.size() > whole) return std::nullopt;
  digits.insert(0, whole - digits.size(), '0');
  if (point < number.size()) digits += number.substr(point + 1);
  const bool fits = digits.size() == column.precision &&
                    digits.find_first_not_of("0123456789") == std::string::npos;
  return fits ? std::optional(digits) : std::nullopt;
}

std::string store_digits(const Key_column &column, std::string_view digits) {
  std::string bytes;
  for (const std::size_t count : groups(column)) {
    bytes += store_big_endian(parse_digits(digits.substr(0, count)), bytes_of_digits[count]);
    digits.remove_prefix(count);
  }
  return bytes;
}

}  // namespace

Result<std::string> decode_decimal(const Key_column &column, std::string_view stored) {
  if (stored.empty() || stored.size() != bytes_of(groups(column))) return bad_bytes(column, stored);
  const bool negative = (stored.front() & 0x80) == 0;
  std::string bytes(stored);
  convert_sign(bytes, negative);
  const auto digits = read_digits(column, bytes);
  if (!digits) return bad_bytes(column, stored);
  return write_number(column, negative, *digits);
}

Result<std::string> encode_decimal(const Key_column &column, std::string_view written) {
  const bool negative = written.starts_with('-');
  const auto digits = align_digits(column, written.substr(negative ? 1 : 0));
  // Only as the reply writes it: no leading zero, all digits after the point, no negative zero.
  if (!digits || write_number(column, negative, *digits) != written ||
      (negative && column.is_unsigned)) {
    return bad_value(column, written,
                     "numbers of " + std::to_string(column.precision) + " digits, " +
                         std::to_string(column.scale) + " of them after the point");
  }
  std::string bytes = store_digits(column, *digits);
  convert_sign(bytes, negative);
  return bytes;
}

}  // namespace pq::codecs
