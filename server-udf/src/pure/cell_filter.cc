#include "pure/cell_filter.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pure/stored_numbers.h"

namespace pq {

namespace {

using Byte = unsigned char;

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::size_t most_number_bytes = 8;

// Negative numbers have all bits inverted, others the sign bit, so that they sort. Zero has no sign.
std::uint64_t order_of_double(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  return (bits & sign_bit) != 0 ? ~bits : bits ^ sign_bit;
}

// Numbers that sort as the values do. Of an integer in a row of the server, the one that it would have in a record.
std::uint64_t number_of(const Cell_type &type, std::size_t size, const Byte *cell) {
  switch (type.kind) {
    case Cell_kind::integer: {
      const std::uint64_t value = little_endian(cell, size);
      return type.is_unsigned ? value : value ^ std::uint64_t{1} << (8 * size - 1);
    }
    case Cell_kind::date:
      return little_endian(cell, size) ^ 0x800000;
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

// How bounds are stored: as in a record.
Cell_type stored_type(Cell_type type) {
  if (type.kind == Cell_kind::integer) type.kind = Cell_kind::stored_integer;
  if (type.kind == Cell_kind::date) type.kind = Cell_kind::stored_date;
  return type;
}

const Byte *bytes_of(const std::string &stored) {
  return reinterpret_cast<const Byte *>(stored.data());
}

}  // namespace

Cell_filter::Cell_filter(const Cell_type &type, const std::vector<Filter_interval> &intervals,
                         bool null_passes)
    : m_type(type), m_size(stored_size(type)), m_null_passes(null_passes) {
  m_by_number = m_size > 0 && m_size <= most_number_bytes;
  for (const Filter_interval &interval : intervals) {
    m_by_number ? add_number(interval) : add_bytes(interval);
  }
  join();
}

void Cell_filter::add_number(const Filter_interval &interval) {
  const Cell_type type = stored_type(m_type);
  std::uint64_t low = 0;
  std::uint64_t high = UINT64_MAX;
  if (interval.low) {
    low = number_of(type, m_size, bytes_of(interval.low->stored));
    if (!interval.low->inclusive && low++ == UINT64_MAX) return;
  }
  if (interval.high) {
    high = number_of(type, m_size, bytes_of(interval.high->stored));
    if (!interval.high->inclusive && high-- == 0) return;
  }
  if (low <= high) m_intervals.push_back({low, high});
}

void Cell_filter::add_bytes(const Filter_interval &interval) {
  m_bytes_intervals.push_back(interval);
}

// Ascending, and none within or next to another.
void Cell_filter::join() {
  std::ranges::sort(m_intervals, {}, &Interval::low);
  std::vector<Interval> joined;
  for (const Interval &next : m_intervals) {
    if (!joined.empty() && (next.low <= joined.back().high || next.low - 1 == joined.back().high)) {
      joined.back().high = std::max(joined.back().high, next.high);
    } else {
      joined.push_back(next);
    }
  }
  m_intervals = std::move(joined);
}

template <class Passes>
std::uint32_t Cell_filter::keep(const Cells &cells, std::uint32_t *rows, std::uint32_t count,
                                Passes passes) const noexcept {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t row = rows[i];
    const Byte *cell = cells.data[row];
    const bool passed = cell == nullptr ? m_null_passes : passes(cell, row);
    rows[kept] = row;
    kept += passed ? 1 : 0;
  }
  return kept;
}

std::uint32_t Cell_filter::apply(const Cells &cells, std::uint32_t *rows,
                                 std::uint32_t count) const noexcept {
  if (!m_by_number) {
    return keep(cells, rows, count, [this, &cells](const Byte *cell, std::uint32_t row) {
      const std::size_t size = m_size > 0 ? m_size : cells.sizes[row];
      return passes_bytes({reinterpret_cast<const char *>(cell), size});
    });
  }
  if (m_intervals.size() == 1) {
    const Interval only = m_intervals.front();
    return keep(cells, rows, count, [this, only](const Byte *cell, std::uint32_t) {
      return number_of(m_type, m_size, cell) - only.low <= only.high - only.low;
    });
  }
  return keep(cells, rows, count, [this](const Byte *cell, std::uint32_t) {
    const std::uint64_t value = number_of(m_type, m_size, cell);
    const auto after = std::ranges::upper_bound(m_intervals, value, {}, &Interval::low);
    return after != m_intervals.begin() && value <= std::prev(after)->high;
  });
}

bool Cell_filter::passes_bytes(std::string_view value) const noexcept {
  return std::ranges::any_of(m_bytes_intervals, [value](const Filter_interval &interval) {
    if (interval.low) {
      const int order = value.compare(interval.low->stored);
      if (order < 0 || (order == 0 && !interval.low->inclusive)) return false;
    }
    if (!interval.high) return true;
    const int order = value.compare(interval.high->stored);
    return order < 0 || (order == 0 && interval.high->inclusive);
  });
}

}  // namespace pq
