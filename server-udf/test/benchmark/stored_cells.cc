#include "stored_cells.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "pure/hex.h"

namespace pq {
namespace {

std::string formatted(const char *format, auto... values) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

std::string date(std::uint64_t random) {
  return formatted("%04u-%02u-%02u", 1970 + static_cast<unsigned>(random % 60),
                   1 + static_cast<unsigned>(random / 64 % 12),
                   1 + static_cast<unsigned>(random / 1024 % 28));
}

std::string time_of_day(std::uint64_t random) {
  return formatted("%02u:%02u:%02u.%06u", static_cast<unsigned>(random / 8 % 24),
                   static_cast<unsigned>(random / 512 % 60),
                   static_cast<unsigned>(random / 32768 % 60),
                   static_cast<unsigned>(random % 1000000));
}

Key_kind key_kind_of(const Cell_type &type) {
  switch (type.kind) {
    case Cell_kind::stored_integer:
      return type.is_unsigned ? Key_kind::unsigned_integer : Key_kind::signed_integer;
    case Cell_kind::float_number:
      return Key_kind::float_number;
    case Cell_kind::double_number:
      return Key_kind::double_number;
    case Cell_kind::decimal:
      return Key_kind::decimal;
    case Cell_kind::stored_date:
      return Key_kind::date;
    case Cell_kind::datetime:
      return Key_kind::datetime;
    case Cell_kind::timestamp:
      return Key_kind::timestamp;
    case Cell_kind::time:
      return Key_kind::time;
    case Cell_kind::year:
      return Key_kind::year;
    case Cell_kind::bytes:
      return Key_kind::text;
  }
  return Key_kind::unsupported;
}

std::string encoded(const Cell_type &type, std::uint64_t random) {
  const std::string written = written_value(type, random);
  const auto stored = encode_key(key_column_of(type), written);
  if (!stored) {
    std::fprintf(stderr, "the codec refuses %s\n", written.c_str());
    std::abort();
  }
  return *stored;
}

}  // namespace

const std::vector<Benchmark_column> &benchmark_columns() {
  static const std::vector<Benchmark_column> columns{
      {"tinyint", {.kind = Cell_kind::stored_integer, .size = 1}, Layout::int8},
      {"smallint", {.kind = Cell_kind::stored_integer, .size = 2}, Layout::int16},
      {"int", {.kind = Cell_kind::stored_integer, .size = 4}, Layout::int32},
      {"bigint", {.kind = Cell_kind::stored_integer, .size = 8}, Layout::int64},
      {"float", {.kind = Cell_kind::float_number, .size = 4}, Layout::int32},
      {"double", {.kind = Cell_kind::double_number, .size = 8}, Layout::int64},
      {"decimal_12_2", {.kind = Cell_kind::decimal, .precision = 12, .scale = 2}, Layout::int64},
      {"decimal_38_3", {.kind = Cell_kind::decimal, .precision = 38, .scale = 3}, Layout::int128},
      {"date", {.kind = Cell_kind::stored_date, .size = 3}, Layout::int32},
      {"datetime_6", {.kind = Cell_kind::datetime, .scale = 6}, Layout::int64},
      {"timestamp_6", {.kind = Cell_kind::timestamp, .scale = 6}, Layout::int64},
      {"time_6", {.kind = Cell_kind::time, .scale = 6}, Layout::int64},
      {"year", {.kind = Cell_kind::year, .is_unsigned = true, .size = 1}, Layout::int32},
      {"varchar", {.kind = Cell_kind::bytes}, Layout::bytes}};
  return columns;
}

Key_column key_column_of(const Cell_type &type) {
  Key_column column;
  column.name = "c";
  column.kind = key_kind_of(type);
  column.is_unsigned = type.is_unsigned;
  column.max_bytes = type.kind == Cell_kind::bytes ? 256 : type.size;
  column.precision = type.precision;
  column.scale = type.scale;
  if (type.kind == Cell_kind::bytes) column.charset = "utf8mb4";
  return column;
}

std::string written_value(const Cell_type &type, std::uint64_t random) {
  switch (type.kind) {
    case Cell_kind::stored_integer:
      return std::to_string(static_cast<std::int64_t>(random) >> (64 - 8 * type.size));
    case Cell_kind::float_number:
    case Cell_kind::double_number:
      return std::to_string(static_cast<double>(random % 1000000) / 8);
    case Cell_kind::decimal:
      return formatted(type.scale == 2 ? "%lld.%02u" : "-%lld.%03u",
                       static_cast<long long>(random % 10000000000),
                       static_cast<unsigned>(random % 100));
    case Cell_kind::stored_date:
      return date(random);
    case Cell_kind::datetime:
    case Cell_kind::timestamp:
      return date(random) + " " + time_of_day(random);
    case Cell_kind::time:
      return time_of_day(random);
    case Cell_kind::year:
      return std::to_string(1901 + random % 255);
    case Cell_kind::bytes:
      return to_hex(std::string(8 + random % 32, static_cast<char>('a' + random % 26)));
  }
  return {};
}

Stored_cells::Stored_cells(const Cell_type &type, std::uint32_t null_every) {
  std::mt19937_64 random(11);
  for (std::uint32_t row = 0; row < benchmark_rows; ++row) {
    m_stored.push_back(encoded(type, random()));
    m_sizes.push_back(static_cast<std::uint32_t>(m_stored.back().size()));
  }
  for (std::uint32_t row = 0; row < benchmark_rows; ++row) {
    const bool is_null = null_every != 0 && row % null_every == 0;
    m_data.push_back(is_null ? nullptr
                             : reinterpret_cast<const unsigned char *>(m_stored[row].data()));
  }
}

}  // namespace pq
