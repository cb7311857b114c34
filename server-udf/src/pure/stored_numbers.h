// What all readers of stored numbers share.

#ifndef MYSQL_PQ_PURE_STORED_NUMBERS_H
#define MYSQL_PQ_PURE_STORED_NUMBERS_H

#include <array>
#include <bit>
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

// Reads 1 to 8 bytes by one or two loads. A copy into a word of a size between would be read before
// it is written.
template <unsigned size>
[[nodiscard]] std::uint64_t big_endian(const unsigned char *bytes) {
  static_assert(size >= 1 && size <= 8);
  const auto load = []<class Word>(const unsigned char *from, Word word) {
    std::memcpy(&word, from, sizeof(Word));
    return std::uint64_t{std::byteswap(word)};
  };
  if constexpr (size == 1) {
    return bytes[0];
  } else if constexpr (size == 2) {
    return load(bytes, std::uint16_t{});
  } else if constexpr (size == 3) {
    return load(bytes, std::uint16_t{}) << 8 | bytes[2];
  } else if constexpr (size < 8) {
    // The two words overlap, or are one.
    constexpr unsigned rest = size - 4;
    const std::uint64_t last = load(bytes + rest, std::uint32_t{});
    return rest == 0 ? last : load(bytes, std::uint32_t{}) << 8 * rest | last;
  } else {
    return load(bytes, std::uint64_t{});
  }
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
