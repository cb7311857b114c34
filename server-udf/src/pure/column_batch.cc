#include "pure/column_batch.h"

#include <algorithm>
#include <limits>
#include <new>
#include <type_traits>

namespace pq {

namespace {

constexpr std::size_t header_bytes = 48;
constexpr std::size_t column_header_bytes = 24;
constexpr std::size_t alignment = 8;
constexpr std::uint16_t format_version = 1;
constexpr std::size_t least_data_capacity = 4096;

constexpr std::size_t aligned(std::size_t size) {
  return (size + alignment - 1) & ~(alignment - 1);
}

constexpr std::size_t validity_bytes(std::uint32_t rows) { return (std::size_t{rows} + 7) / 8; }

std::size_t values_bytes(Layout layout, std::uint32_t rows) {
  return width_of(layout) * (std::size_t{rows} + (layout == Layout::bytes ? 1 : 0));
}

// Little-endian, as all machines are that MySQL is built for here.
template <class T>
void put(std::string &batch, std::size_t at, T value) {
  std::memcpy(batch.data() + at, &value, sizeof(T));
}

// Returns the next aligned place.
std::size_t pad(std::string &batch, std::size_t end) {
  std::memset(batch.data() + end, 0, aligned(end) - end);
  return aligned(end);
}

// Writes a buffer at the next aligned place, and that place at `at`.
std::size_t put_buffer(std::string &batch, std::size_t at, std::size_t end, const void *buffer,
                       std::size_t size) {
  put(batch, at, static_cast<std::uint32_t>(end));
  if (size > 0) std::memcpy(batch.data() + end, buffer, size);
  return pad(batch, end + size);
}

// After so many rows it is seen whether numbers can be narrow at all.
constexpr std::size_t rows_of_look = 256;

// Bits that the values need, but for the sign; of some of them, if those need more than half of
// the layout's.
template <class T>
std::uint64_t bits_of(const char *values, std::size_t rows) {
  constexpr std::uint64_t half =
      std::numeric_limits<std::make_unsigned_t<T>>::max() >> (4 * sizeof(T) + 1);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < rows && bits <= half;) {
    std::make_unsigned_t<T> some = 0;
    for (const std::size_t end = std::min(rows, i + rows_of_look); i < end; ++i) {
      T value = 0;
      std::memcpy(&value, values + i * sizeof(T), sizeof(T));
      const T sign = value < 0 ? T{-1} : T{0};
      some = static_cast<std::make_unsigned_t<T>>(some | (value ^ sign));
    }
    bits |= some;
  }
  return bits;
}

// As bits_of(), of numbers of 16 bytes. If some need more than 8, all bits are set.
std::uint64_t bits_of_int128(const char *values, std::size_t rows) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::array<std::int64_t, 2> value{};
    std::memcpy(value.data(), values + i * sizeof(value), sizeof(value));
    const std::int64_t sign = value[0] < 0 ? -1 : 0;
    if (value[1] != sign) return UINT64_MAX;
    bits |= static_cast<std::uint64_t>(value[0] ^ sign);
  }
  return bits;
}

// Copies the low bytes of each value, which are its first ones.
template <class T, std::size_t width>
void copy_low(char *to, const char *from, std::uint32_t rows) {
  for (std::size_t i = 0; i < rows; ++i) {
    std::memcpy(to + i * sizeof(T), from + i * width, sizeof(T));
  }
}

template <class T>
void copy_low(char *to, const char *from, Layout layout, std::uint32_t rows) {
  switch (layout) {
    case Layout::int16:
      return copy_low<T, 2>(to, from, rows);
    case Layout::int32:
      return copy_low<T, 4>(to, from, rows);
    case Layout::int64:
      return copy_low<T, 8>(to, from, rows);
    case Layout::int128:
      return copy_low<T, 16>(to, from, rows);
    case Layout::int8:
    case Layout::bytes:
      break;  // never narrowed
  }
}

}  // namespace

Column_buffer::Column_buffer(Layout layout, std::uint32_t max_rows)
    : m_layout(layout),
      m_validity(validity_bytes(max_rows), 0xFF),
      m_values(std::make_unique_for_overwrite<char[]>(values_bytes(layout, max_rows))) {
  if (layout == Layout::bytes) std::memset(m_values.get(), 0, width_of(layout));
}

void Column_buffer::set_null(std::uint32_t row) noexcept {
  mark_null(row);
  char *value = m_values.get() +
                (std::size_t{row} + (m_layout == Layout::bytes ? 1 : 0)) * width_of(m_layout);
  std::memset(value, 0, width_of(m_layout));
  if (m_layout == Layout::bytes) {
    const auto end = static_cast<std::uint32_t>(m_data_size);
    std::memcpy(value, &end, sizeof(end));
  }
}

void Column_buffer::reserve(std::size_t size) {
  if (size > UINT32_MAX) throw std::bad_alloc();
  const std::size_t capacity = std::max({size, 2 * m_data_capacity, least_data_capacity});
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  if (m_data_size > 0) std::memcpy(larger.get(), m_data.get(), m_data_size);
  m_data = std::move(larger);
  m_data_capacity = capacity;
}

void Column_buffer::keep(std::span<const std::uint32_t> rows, std::uint32_t of) noexcept {
  if (m_nulls > 0) keep_validity(rows, of);
  if (m_layout == Layout::bytes) return keep_data(rows);
  const std::size_t width = width_of(m_layout);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memmove(m_values.get() + i * width, m_values.get() + rows[i] * width, width);
  }
}

void Column_buffer::keep_validity(std::span<const std::uint32_t> rows, std::uint32_t of) noexcept {
  std::uint32_t nulls = 0;
  const auto set = [this](std::uint32_t row, bool valid) {
    const auto bit = static_cast<std::uint8_t>(1U << row % 8);
    m_validity[row / 8] =
        static_cast<std::uint8_t>(valid ? m_validity[row / 8] | bit : m_validity[row / 8] & ~bit);
  };
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const bool null = (m_validity[rows[i] / 8] >> rows[i] % 8 & 1) == 0;
    set(i, !null);
    nulls += null ? 1 : 0;
  }
  for (auto row = static_cast<std::uint32_t>(rows.size()); row < of; ++row) set(row, true);
  m_nulls = nulls;
}

void Column_buffer::keep_data(std::span<const std::uint32_t> rows) noexcept {
  std::size_t end = 0;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const std::string_view value = bytes(rows[i]);
    if (!value.empty()) std::memmove(m_data.get() + end, value.data(), value.size());
    end += value.size();
    const auto place = static_cast<std::uint32_t>(end);
    std::memcpy(m_values.get() + (std::size_t{i} + 1) * sizeof(place), &place, sizeof(place));
  }
  m_data_size = end;
}

Layout Column_buffer::narrowest(std::uint32_t rows) const noexcept {
  std::uint64_t bits = 0;
  switch (m_layout) {
    case Layout::int8:
    case Layout::bytes:
      return m_layout;
    case Layout::int16:
      bits = bits_of<std::int16_t>(m_values.get(), rows);
      break;
    case Layout::int32:
      bits = bits_of<std::int32_t>(m_values.get(), rows);
      break;
    case Layout::int64:
      bits = bits_of<std::int64_t>(m_values.get(), rows);
      break;
    case Layout::int128:
      bits = bits_of_int128(m_values.get(), rows);
      break;
  }
  if (bits <= INT8_MAX) return Layout::int8;
  if (bits <= INT16_MAX) return Layout::int16;
  if (bits <= INT32_MAX) return Layout::int32;
  return bits <= INT64_MAX ? Layout::int64 : m_layout;
}

void Column_buffer::put_values(char *to, Layout layout, std::uint32_t rows) const noexcept {
  const char *values = m_values.get();
  if (layout == m_layout) {
    std::memcpy(to, values, values_bytes(layout, rows));
    return;
  }
  switch (layout) {
    case Layout::int8:
      return copy_low<std::int8_t>(to, values, m_layout, rows);
    case Layout::int16:
      return copy_low<std::int16_t>(to, values, m_layout, rows);
    case Layout::int32:
      return copy_low<std::int32_t>(to, values, m_layout, rows);
    case Layout::int64:
      return copy_low<std::int64_t>(to, values, m_layout, rows);
    case Layout::int128:
    case Layout::bytes:
      break;  // nothing is narrowed to them
  }
}

void Column_buffer::clear() noexcept {
  if (m_nulls > 0) std::ranges::fill(m_validity, 0xFF);
  m_nulls = 0;
  m_data_size = 0;
}

void Column_buffer::release() noexcept {
  m_data.reset();
  m_data_capacity = 0;
}

Column_batch::Column_batch(const std::vector<Layout> &layouts, std::uint32_t max_rows,
                           std::size_t max_kept_bytes)
    : m_max_rows(max_rows), m_max_kept_bytes(max_kept_bytes) {
  m_columns.reserve(layouts.size());
  for (const Layout layout : layouts) {
    m_columns.emplace_back(layout, max_rows);
    m_row_bytes += width_of(layout);
  }
}

std::size_t Column_batch::size() const {
  std::size_t size = header_bytes + m_rows * m_row_bytes;
  for (const Column_buffer &column : m_columns) {
    size += column_header_bytes + column.m_data_size + 3 * alignment + width_of(column.m_layout);
    if (column.m_nulls > 0) size += validity_bytes(m_rows);
  }
  return size;
}

std::vector<Layout> Column_batch::layouts(Batch_form form) const {
  std::vector<Layout> layouts;
  layouts.reserve(m_columns.size());
  for (const Column_buffer &column : m_columns) {
    layouts.push_back(form == Batch_form::wide ? column.m_layout : column.narrowest(m_rows));
  }
  return layouts;
}

std::size_t Column_batch::written_size(const Batch_place &place,
                                       const std::vector<Layout> &layouts) const {
  std::size_t size = header_bytes + m_columns.size() * column_header_bytes;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    if (m_columns[i].m_nulls > 0) size += aligned(validity_bytes(m_rows));
    size += aligned(values_bytes(layouts[i], m_rows)) + aligned(m_columns[i].m_data_size);
  }
  return size + aligned(place.cursor.size() + place.validator.size());
}

void Column_batch::write(const Batch_place &place, std::string &batch, Batch_form form) const {
  const std::vector<Layout> written = layouts(form);
  const std::size_t size = written_size(place, written);
  // Memory that grows is twice what is needed, and the old memory is there until it is copied.
  if (batch.capacity() < size) {
    std::string().swap(batch);
    batch.reserve(size);
  }
  // Each byte is written once below, but for those of the headers.
  batch.resize_and_overwrite(size, [size](char *, std::size_t) { return size; });
  std::memset(batch.data(), 0, header_bytes + m_columns.size() * column_header_bytes);
  std::memcpy(batch.data(), "MPQB", 4);
  put(batch, 4, format_version);
  put(batch, 6, static_cast<std::uint16_t>(m_columns.size()));
  put(batch, 8, m_rows);
  put(batch, 12, static_cast<std::uint32_t>(place.end));
  put(batch, 16, static_cast<std::uint64_t>(size));
  put(batch, 24, place.number);
  put(batch, 32, place.rows_before);
  const std::size_t end = write_columns(batch, written);
  put(batch, 44, place.unchanged);
  const std::string text = place.cursor + place.validator;
  if (text.empty()) return;
  put_buffer(batch, 28, end, text.data(), text.size());
  put(batch, 40, static_cast<std::uint32_t>(text.size()));
}

// Returns where the buffers end.
std::size_t Column_batch::write_columns(std::string &batch,
                                        const std::vector<Layout> &layouts) const {
  std::size_t at = header_bytes;
  std::size_t end = header_bytes + m_columns.size() * column_header_bytes;
  for (std::size_t i = 0; i < m_columns.size(); ++i, at += column_header_bytes) {
    const Column_buffer &column = m_columns[i];
    put(batch, at, static_cast<std::uint32_t>(layouts[i]));
    put(batch, at + 4, column.m_nulls);
    if (column.m_nulls > 0) {
      end = put_buffer(batch, at + 8, end, column.m_validity.data(), validity_bytes(m_rows));
    }
    put(batch, at + 12, static_cast<std::uint32_t>(end));
    const std::size_t bytes = values_bytes(layouts[i], m_rows);
    column.put_values(batch.data() + end, layouts[i], m_rows);
    end = pad(batch, end + bytes);
  }
  return write_data(batch, end);
}

// Behind all numbers: text and numbers have different bytes, and compress better apart.
std::size_t Column_batch::write_data(std::string &batch, std::size_t end) const {
  std::size_t at = header_bytes;
  for (const Column_buffer &column : m_columns) {
    if (column.m_layout == Layout::bytes) {
      put(batch, at + 20, static_cast<std::uint32_t>(column.m_data_size));
      end = put_buffer(batch, at + 16, end, column.m_data.get(), column.m_data_size);
    }
    at += column_header_bytes;
  }
  return end;
}

void Column_batch::keep(std::span<const std::uint32_t> rows) noexcept {
  if (rows.size() == m_rows) return;
  for (Column_buffer &column : m_columns) column.keep(rows, m_rows);
  m_rows = static_cast<std::uint32_t>(rows.size());
}

void Column_batch::clear() noexcept {
  m_rows = 0;
  std::size_t kept = 0;
  for (Column_buffer &column : m_columns) {
    column.clear();
    kept += column.m_data_capacity;
  }
  if (kept <= m_max_kept_bytes) return;
  for (Column_buffer &column : m_columns) column.release();
}

}  // namespace pq
