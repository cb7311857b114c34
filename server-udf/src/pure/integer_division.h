// The ways to divide integers. None of them traps, whatever the operands are.

#ifndef MYSQL_PQ_PURE_INTEGER_DIVISION_H
#define MYSQL_PQ_PURE_INTEGER_DIVISION_H

#include <cstdint>
#include <type_traits>

#include "pure/expression.h"

namespace pq::division {

template <class T>
struct Unsigned {
  using Type = std::make_unsigned_t<T>;
};
template <>
struct Unsigned<__int128> {
  using Type = unsigned __int128;
};

template <class T>
constexpr T wrapped_difference(T a, T b) {
  using U = typename Unsigned<T>::Type;
  return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
}

template <class T>
constexpr typename Unsigned<T>::Type magnitude(T value) {
  using U = typename Unsigned<T>::Type;
  return value < 0 ? static_cast<U>(0) - static_cast<U>(value) : static_cast<U>(value);
}

// The divisor is not 0. A result that does not fit wraps around: the least integer by -1.
template <class T>
constexpr T divide(Operator op, T a, T b) {
  // The processor would trap.
  const T quotient = b == -1 ? wrapped_difference(T{0}, a) : static_cast<T>(a / b);
  const T rest = b == -1 ? T{0} : static_cast<T>(a % b);
  switch (op) {
    case Operator::modulo:
      return rest;
    case Operator::divide_half_up: {
      const auto distance = magnitude(rest);
      if (distance < magnitude(b) - distance || rest == 0) return quotient;
      return (a < 0) != (b < 0) ? wrapped_difference(quotient, T{1})
                                : wrapped_difference(quotient, T{-1});
    }
    case Operator::floor_divide:
      return rest != 0 && (rest < 0) != (b < 0) ? wrapped_difference(quotient, T{1}) : quotient;
    case Operator::floor_modulo:
      return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
    default:
      return quotient;
  }
}

}  // namespace pq::division

#endif
