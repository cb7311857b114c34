// Key columns of every kind, chosen by bytes of an input.

#ifndef MYSQL_PQ_FUZZ_KEY_COLUMNS_H
#define MYSQL_PQ_FUZZ_KEY_COLUMNS_H

#include <algorithm>
#include <array>

#include "checks.h"
#include "pure/key_codec.h"

namespace pq::fuzz {

struct Shape {
  Key_kind kind;
  std::uint8_t least_bytes;
  std::uint8_t most_bytes;
};

constexpr std::array shapes{
    Shape{Key_kind::signed_integer, 1, 8}, Shape{Key_kind::unsigned_integer, 1, 8},
    Shape{Key_kind::year, 1, 1},           Shape{Key_kind::decimal, 0, 0},
    Shape{Key_kind::float_number, 4, 4},   Shape{Key_kind::double_number, 8, 8},
    Shape{Key_kind::date, 3, 3},           Shape{Key_kind::time, 3, 6},
    Shape{Key_kind::datetime, 5, 8},       Shape{Key_kind::timestamp, 4, 7},
    Shape{Key_kind::text, 1, 40},          Shape{Key_kind::padded_text, 1, 40},
    Shape{Key_kind::binary, 1, 40},        Shape{Key_kind::padded_binary, 1, 40},
};

// Bytes of DECIMAL with so many digits on one side of the point.
constexpr std::uint32_t decimal_bytes(unsigned digits) {
  constexpr std::array<std::uint8_t, 10> rest{0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
  return digits / 9 * 4 + rest[digits % 9];
}

inline Key_column read_column(Input &input) {
  const Shape &shape = shapes[input.byte() % shapes.size()];
  Key_column column;
  column.kind = shape.kind;
  const unsigned range = shape.most_bytes - shape.least_bytes + 1U;
  column.max_bytes = shape.least_bytes + input.byte() % range;
  column.is_unsigned = input.byte() % 2 != 0;
  if (shape.kind == Key_kind::decimal) {
    column.precision = static_cast<std::uint8_t>(1 + input.byte() % 65);
    column.scale =
        static_cast<std::uint8_t>(input.byte() % (std::min<unsigned>(column.precision, 30) + 1));
    column.max_bytes = decimal_bytes(column.precision - column.scale) + decimal_bytes(column.scale);
  } else if (shape.least_bytes != shape.most_bytes && shape.most_bytes <= 8 &&
             shape.least_bytes >= 3) {
    // Two digits of a second's fraction take a byte.
    column.scale = static_cast<std::uint8_t>(2 * (column.max_bytes - shape.least_bytes));
    const bool is_odd = column.scale > 0 && input.byte() % 2 != 0;
    if (is_odd) --column.scale;
  }
  if (shape.kind == Key_kind::text || shape.kind == Key_kind::padded_text)
    column.charset = "utf8mb4";
  return column;
}

}  // namespace pq::fuzz

#endif
