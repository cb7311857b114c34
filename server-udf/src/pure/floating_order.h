// Orders floating numbers by their bits.

#ifndef MYSQL_PQ_PURE_FLOATING_ORDER_H
#define MYSQL_PQ_PURE_FLOATING_ORDER_H

#include <limits>

namespace pq {

// Takes the bits of a floating number for an integer, and gives one that compares with others as
// the numbers do. -0.0 comes before 0.0. Given such an integer, it gives the bits back.
template <class T>
[[nodiscard]] constexpr T floating_order(T bits) {
  return bits < 0 ? static_cast<T>(bits ^ std::numeric_limits<T>::max()) : bits;
}

}  // namespace pq

#endif
