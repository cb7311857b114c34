// What all readers of stored numbers share.

#ifndef MYSQL_PQ_PURE_STORED_NUMBERS_H
#define MYSQL_PQ_PURE_STORED_NUMBERS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pq {

// Reads at most 8 bytes.
[[nodiscard]] inline std::uint64_t big_endian(const unsigned char *bytes, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes[i];
  return value;
}

// Reads at most 8 bytes, on a machine that is little-endian itself.
[[nodiscard]] inline std::uint64_t little_endian(const unsigned char *bytes, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}

// A DECIMAL stores its digits in groups of 9. The table has the bytes of a group of 0 to 9 digits
// (strings/decimal.cc, dig2bytes).
constexpr std::size_t group_digits = 9;
constexpr std::array<std::uint8_t, group_digits + 1> bytes_of_digits{0, 1, 1, 2, 2, 3, 3, 4, 4, 4};

}  // namespace pq

#endif
