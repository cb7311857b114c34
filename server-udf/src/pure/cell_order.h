// Orders cells as the values that they hold, without decoding them.

#ifndef MYSQL_PQ_PURE_CELL_ORDER_H
#define MYSQL_PQ_PURE_CELL_ORDER_H

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "pure/cells.h"
#include "pure/stored_numbers.h"

namespace pq {

// Cells of one size up to this are compared as numbers.
constexpr std::size_t most_number_bytes = 8;

// Turns a double into a number that sorts as the double does: negative numbers have all bits
// inverted, others the sign bit. Zero has no sign.
[[nodiscard]] inline std::uint64_t order_of_double(double value) noexcept {
  constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  return (bits & sign_bit) != 0 ? ~bits : bits ^ sign_bit;
}

// Numbers that sort as the values of cells of that size do.
[[nodiscard]] inline std::uint64_t number_of(const Cell_type &type, std::size_t size,
                                             const unsigned char *cell) noexcept {
  switch (type.kind) {
    case Cell_kind::float_number: {
      float value = 0;
      std::memcpy(&value, cell, sizeof(value));
      return order_of_double(value);
    }
    case Cell_kind::double_number: {
      double value = 0;
      std::memcpy(&value, cell, sizeof(value));
      return order_of_double(value);
    }
    default:
      return big_endian(cell, size);
  }
}

// Compares bytes. Padded bytes compare as if the shorter ones went on with spaces.
[[nodiscard]] inline std::strong_ordering compare_bytes(std::string_view left,
                                                        std::string_view right,
                                                        bool is_padded) noexcept {
  const std::size_t common = std::min(left.size(), right.size());
  const int order = common == 0 ? 0 : std::memcmp(left.data(), right.data(), common);
  if (order != 0 || !is_padded) return order != 0 ? order <=> 0 : left.size() <=> right.size();
  for (const char byte : left.substr(common)) {
    if (byte != ' ') return static_cast<unsigned char>(byte) <=> static_cast<unsigned char>(' ');
  }
  for (const char byte : right.substr(common)) {
    if (byte != ' ') return static_cast<unsigned char>(' ') <=> static_cast<unsigned char>(byte);
  }
  return std::strong_ordering::equal;
}

}  // namespace pq

#endif
