#include "pure/cell_filter.h"

#include <algorithm>
#include <iterator>

#include "pure/cell_order.h"

namespace pq {

namespace {

using Byte = unsigned char;

const Byte *bytes_of(const std::string &stored) {
  return reinterpret_cast<const Byte *>(stored.data());
}

}  // namespace

Cell_filter::Cell_filter(const Cell_type &type, const std::vector<Filter_interval> &intervals,
                         bool null_passes)
    : m_type(type), m_size(stored_size(type)), m_null_passes(null_passes) {
  m_by_number = m_size > 0 && m_size <= most_number_bytes;
  if (!m_by_number) {
    m_bytes_intervals = intervals;
    sort_bytes();
    return;
  }
  for (const Filter_interval &interval : intervals) add_number(interval);
  join_numbers();
}

void Cell_filter::add_number(const Filter_interval &interval) {
  std::uint64_t low = 0;
  std::uint64_t high = UINT64_MAX;
  if (interval.low) {
    low = number_of(m_type, m_size, bytes_of(interval.low->stored));
    if (!interval.low->inclusive && low++ == UINT64_MAX) return;
  }
  if (interval.high) {
    high = number_of(m_type, m_size, bytes_of(interval.high->stored));
    if (!interval.high->inclusive && high-- == 0) return;
  }
  if (low <= high) m_intervals.push_back({low, high});
}

// Ascending, and none within or next to another.
void Cell_filter::join_numbers() {
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
    const Byte *cell = cells.at(row);
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

void Cell_filter::sort_bytes() {
  std::erase_if(m_bytes_intervals, [this](const Filter_interval &interval) {
    return interval.low && interval.high && is_apart(interval, interval);
  });
  std::ranges::sort(m_bytes_intervals, [this](const auto &left, const auto &right) {
    if (!left.low || !right.low) return !left.low && right.low.has_value();
    return compare_bytes(left.low->stored, right.low->stored, m_type.is_padded) < 0;
  });
  m_are_apart =
      std::ranges::adjacent_find(m_bytes_intervals, [this](const auto &lower, const auto &higher) {
        return !is_apart(lower, higher);
      }) == m_bytes_intervals.end();
}

bool Cell_filter::is_apart(const Filter_interval &lower, const Filter_interval &higher) const {
  if (!lower.high || !higher.low) return false;
  const auto order = compare_bytes(lower.high->stored, higher.low->stored, m_type.is_padded);
  return order < 0 || (order == 0 && !(lower.high->inclusive && higher.low->inclusive));
}

bool Cell_filter::begins_beyond(const Filter_interval &interval,
                                std::string_view value) const noexcept {
  if (!interval.low) return false;
  const auto order = compare_bytes(value, interval.low->stored, m_type.is_padded);
  return order < 0 || (order == 0 && !interval.low->inclusive);
}

bool Cell_filter::ends_before(const Filter_interval &interval,
                              std::string_view value) const noexcept {
  if (!interval.high) return false;
  const auto order = compare_bytes(value, interval.high->stored, m_type.is_padded);
  return order > 0 || (order == 0 && !interval.high->inclusive);
}

bool Cell_filter::passes_bytes(std::string_view value) const noexcept {
  if (!m_are_apart) {
    return std::ranges::any_of(m_bytes_intervals, [this, value](const Filter_interval &interval) {
      return !begins_beyond(interval, value) && !ends_before(interval, value);
    });
  }
  // Only the last interval that begins before the value may reach it.
  const auto after = std::ranges::partition_point(
      m_bytes_intervals,
      [this, value](const Filter_interval &interval) { return !begins_beyond(interval, value); });
  return after != m_bytes_intervals.begin() && !ends_before(*std::prev(after), value);
}

}  // namespace pq
