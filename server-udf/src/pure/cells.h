// Decodes cells, as InnoDB stores them, into columns.

#ifndef MYSQL_PQ_PURE_CELLS_H
#define MYSQL_PQ_PURE_CELLS_H

#include <cstddef>
#include <cstdint>

#include "pure/column_batch.h"

namespace pq {

// How a cell that is not NULL is stored.
enum class Cell_kind : std::uint8_t {
  stored_integer,  // big-endian, 1 to 8 bytes, the sign bit flipped if there is one
  float_number,    // IEEE 754, 4 bytes
  double_number,   // 8 bytes
  decimal,         // as in key_codec.h
  stored_date,     // year, month and day in 3 bytes, as a stored_integer
  datetime,        // as in key_codec.h, of 5 to 8 bytes
  timestamp,       // as in key_codec.h, of 4 to 7 bytes
  time,            // as in key_codec.h, of 3 to 6 bytes
  year,            // as in key_codec.h
  bytes            // as they are
};

struct Cell_type {
  Cell_kind kind = Cell_kind::bytes;
  bool is_unsigned = false;
  std::uint8_t size = 0;       // bytes of an integer
  std::uint8_t precision = 0;  // digits of a decimal
  std::uint8_t scale = 0;      // those after the point, also of seconds
  bool is_padded = false;      // of bytes: spaces at the end count for nothing

  bool operator==(const Cell_type &) const = default;
};

// Bytes of each cell that is not NULL; 0 if they differ.
[[nodiscard]] std::size_t stored_size(const Cell_type &type);

// Where the cells of one column in some rows are.
struct Cells {
  const unsigned char *const *data;  // null for NULL
  const std::uint32_t *sizes;        // of bytes; else unused
  std::uint32_t count;
  std::uint32_t distance = 0;  // of each cell from there

  // Null for NULL.
  [[nodiscard]] const unsigned char *at(std::uint32_t row) const noexcept {
    const unsigned char *begin = data[row];
    return begin == nullptr ? nullptr : begin + distance;
  }
};

using Fill_column = void (*)(const Cell_type &type, const Cells &cells, std::uint32_t first_row,
                             Column_buffer &column);

// The decoder of cells of this type into a column of this layout, whose values are then
//   integers: the same; all of the type's must fit,
//   float and double: their bits,
//   decimals: the digits without the point,
//   dates: days since 1970-01-01 in the proleptic Gregorian calendar; of a date that it has not, or
//     in the year 0, INT32_MIN plus the 3 bytes as a number,
//   datetimes and timestamps: microseconds since 1970-01-01 00:00:00; of one that the calendar has
//     not, or in the year 0, INT64_MIN plus the date and time to the second, as in the 5 bytes,
//   times: microseconds, some negative or longer than a day,
//   years: the year, 0 or from 1901 to 2155.
// Null if no such values fit the layout.
[[nodiscard]] Fill_column decoder_of(const Cell_type &type, Layout layout);

}  // namespace pq

#endif
