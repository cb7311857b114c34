// What an integer expression can be at least and at most.

#ifndef MYSQL_PQ_PURE_INTERVAL_H
#define MYSQL_PQ_PURE_INTERVAL_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace pq {

using Int128 = __int128;

constexpr Int128 int128_min = std::numeric_limits<Int128>::min();
constexpr Int128 int128_max = std::numeric_limits<Int128>::max();

struct Interval {
  Int128 low = int128_min;
  Int128 high = int128_max;
  // Whether a result can have more than 128 bits: it then has no value.
  bool overflows = false;

  [[nodiscard]] bool is_within(const Interval &other) const {
    return low >= other.low && high <= other.high;
  }
  [[nodiscard]] bool has(Int128 value) const { return low <= value && value <= high; }
  [[nodiscard]] bool is_narrow() const { return low >= INT64_MIN && high <= INT64_MAX; }
};

constexpr Interval narrow_interval{INT64_MIN, INT64_MAX};

namespace intervals {

// From the least to the greatest result of the operation on the ends, if it is monotonic in each
// operand. The operation returns true if the result has more than 128 bits; `sign` tells where it
// then is.
template <class Operation, class Sign>
Interval of_ends(const Interval &a, const Interval &b, Operation operation, Sign sign) {
  Interval result{int128_max, int128_min};
  for (const Int128 x : {a.low, a.high}) {
    for (const Int128 y : {b.low, b.high}) {
      Int128 value = 0;
      if (operation(x, y, &value)) {
        result.overflows = true;
        value = sign(x, y) ? int128_min : int128_max;
      }
      result.low = std::min(result.low, value);
      result.high = std::max(result.high, value);
    }
  }
  return result;
}

inline Interval sum(const Interval &a, const Interval &b) {
  return of_ends(
      a, b, [](Int128 x, Int128 y, Int128 *z) { return __builtin_add_overflow(x, y, z); },
      [](Int128 x, Int128) { return x < 0; });
}

inline Interval difference(const Interval &a, const Interval &b) {
  return of_ends(
      a, b, [](Int128 x, Int128 y, Int128 *z) { return __builtin_sub_overflow(x, y, z); },
      [](Int128 x, Int128) { return x < 0; });
}

inline Interval product(const Interval &a, const Interval &b) {
  return of_ends(
      a, b, [](Int128 x, Int128 y, Int128 *z) { return __builtin_mul_overflow(x, y, z); },
      [](Int128 x, Int128 y) { return (x < 0) != (y < 0); });
}

inline Interval both(const Interval &a, const Interval &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// The greatest distance from 0 in the interval; one less if that has more than 127 bits.
inline Int128 reach(const Interval &a) {
  return std::max(a.high, a.low == int128_min ? int128_max : -a.low);
}

// A quotient is not farther from 0 than the dividend, but for one where it is rounded down.
inline Interval quotient(const Interval &a) {
  const Int128 most = reach(a);
  if (a.low == int128_min) return {int128_min, int128_max, true};
  return {-most - 1, most};
}

// What is left is nearer to 0 than the divisor.
inline Interval remainder(const Interval &b) {
  const Int128 most = reach(b);
  return {-most, most};
}

}  // namespace intervals

}  // namespace pq

#endif
