#include "pure/column_batch.h"

#include <algorithm>
#include <new>

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

// Writes a buffer at the next aligned place, and that place at `at`.
std::size_t put_buffer(std::string &batch, std::size_t at, std::size_t end, const void *buffer,
                       std::size_t size) {
  put(batch, at, static_cast<std::uint32_t>(end));
  if (size > 0) std::memcpy(batch.data() + end, buffer, size);
  std::memset(batch.data() + end + size, 0, aligned(size) - size);
  return end + aligned(size);
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

std::size_t Column_batch::written_size(const Batch_place &place) const {
  std::size_t size = header_bytes + m_columns.size() * column_header_bytes;
  for (const Column_buffer &column : m_columns) {
    if (column.m_nulls > 0) size += aligned(validity_bytes(m_rows));
    size += aligned(values_bytes(column.m_layout, m_rows)) + aligned(column.m_data_size);
  }
  return size + aligned(place.cursor.size() + place.validator.size());
}

void Column_batch::write(const Batch_place &place, std::string &batch) const {
  const std::size_t size = written_size(place);
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
  const std::size_t end = write_columns(batch);
  put(batch, 44, place.unchanged);
  const std::string text = place.cursor + place.validator;
  if (text.empty()) return;
  put_buffer(batch, 28, end, text.data(), text.size());
  put(batch, 40, static_cast<std::uint32_t>(text.size()));
}

// Returns where the buffers end.
std::size_t Column_batch::write_columns(std::string &batch) const {
  std::size_t at = header_bytes;
  std::size_t end = header_bytes + m_columns.size() * column_header_bytes;
  for (const Column_buffer &column : m_columns) {
    put(batch, at, static_cast<std::uint32_t>(column.m_layout));
    put(batch, at + 4, column.m_nulls);
    if (column.m_nulls > 0) {
      end = put_buffer(batch, at + 8, end, column.m_validity.data(), validity_bytes(m_rows));
    }
    end = put_buffer(batch, at + 12, end, column.m_values.get(),
                     values_bytes(column.m_layout, m_rows));
    at += column_header_bytes;
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
