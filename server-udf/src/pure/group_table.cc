#include "pure/group_table.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <utility>

namespace pq {

namespace {

constexpr std::size_t key_bytes_of_group = 128;
constexpr std::size_t least_key_bytes = 1024 * 1024;
constexpr std::size_t least_slots = 64;

std::size_t most_key_bytes(const Wanted_aggregation &aggregation) {
  return std::max(least_key_bytes, key_bytes_of_group * aggregation.max_groups);
}

// Who chooses the rows must not know which of them meet in one slot.
std::uint64_t random_seed(const void *place) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<std::uint64_t>(now) * 0x9E3779B97F4A7C15 ^
         reinterpret_cast<std::uintptr_t>(place);
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  const auto product = static_cast<unsigned __int128>(hash ^ word) * 0x9FB21C651E98DF25;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t hash_of(std::string_view key, std::uint64_t seed) {
  std::uint64_t hash = seed ^ key.size();
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= key.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, key.data() + at, sizeof(word));
    hash = mixed(hash, word);
  }
  std::uint64_t last = 0;
  for (; at < key.size(); ++at) last = last << 8 | static_cast<unsigned char>(key[at]);
  return mixed(mixed(hash, last), seed | 1);
}

template <class T>
T value_at(const Column_buffer &column, std::uint32_t row) {
  T value;
  std::memcpy(&value, column.values() + std::size_t{row} * sizeof(T), sizeof(T));
  return value;
}

// Calls `use` with a value of the type that the layout stands for.
template <class Use>
void with_type_of(Layout layout, Use use) {
  switch (layout) {
    case Layout::int8:
      return use(std::int8_t{});
    case Layout::int16:
      return use(std::int16_t{});
    case Layout::int32:
      return use(std::int32_t{});
    case Layout::int64:
      return use(std::int64_t{});
    case Layout::int128:
      return use(__int128{});
    case Layout::bytes:
      return;
  }
}

// Calls `take` with the group and the value of each row that has one.
template <class T, class Take>
void for_values(const Column_buffer &column, std::uint32_t rows,
                const std::vector<std::uint32_t> &groups, Take take) {
  const auto group_of = [&groups](std::uint32_t row) { return groups.empty() ? 0 : groups[row]; };
  if (column.nulls() == 0) {
    for (std::uint32_t row = 0; row < rows; ++row) take(group_of(row), value_at<T>(column, row));
    return;
  }
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (!column.is_null(row)) take(group_of(row), value_at<T>(column, row));
  }
}

void count_values(const Column_buffer &column, std::uint32_t rows,
                  const std::vector<std::uint32_t> &groups, std::vector<std::int64_t> &counts) {
  if (groups.empty()) {
    counts.front() += rows - column.nulls();
    return;
  }
  for (std::uint32_t row = 0; row < rows; ++row) {
    counts[groups[row]] += column.is_null(row) ? 0 : 1;
  }
}

}  // namespace

Group_table::Group_table(const std::vector<Layout> &layouts, Wanted_aggregation aggregation)
    : m_layouts(layouts),
      m_aggregation(std::move(aggregation)),
      m_seed(random_seed(this)),
      m_most_key_bytes(most_key_bytes(m_aggregation)),
      m_slots(least_slots) {
  for (const Wanted_function &function : m_aggregation.functions) {
    m_computed.push_back({function, function.column ? layouts[*function.column] : Layout::int64});
  }
  // Without rows it has a result, too.
  if (m_aggregation.groups.empty() && !add_group(hash_of({}, m_seed))) std::unreachable();
}

// What grows has up to twice the memory that it needs, and the old memory beside it. At the end the
// result, which grows too, and the batch that is made of it stand beside the table.
std::size_t Group_table::memory(const Wanted_aggregation &aggregation) {
  constexpr std::size_t bytes_of_value = sizeof(std::int64_t) + 2 * sizeof(__int128);
  const std::size_t of_group = sizeof(std::size_t) + sizeof(std::uint64_t) +
                               4 * sizeof(std::uint32_t) +
                               aggregation.functions.size() * bytes_of_value;
  return 5 * (aggregation.max_groups * of_group + most_key_bytes(aggregation));
}

bool Group_table::add(const Column_batch &rows) {
  if (rows.rows() == 0) return true;
  m_of_row.clear();
  if (!m_aggregation.groups.empty() && !find_groups(rows)) return false;
  for (Computed &computed : m_computed) compute(computed, rows, m_of_row);
  return true;
}

bool Group_table::find_groups(const Column_batch &rows) {
  m_of_row.resize(rows.rows());
  for (std::uint32_t row = 0; row < rows.rows(); ++row) {
    write_key(rows, row);
    // Neighbours are often of one group.
    if (row > 0 && key_of(m_of_row[row - 1]) == m_key) {
      m_of_row[row] = m_of_row[row - 1];
    } else if (!find_group(row)) {
      return false;
    }
  }
  return true;
}

void Group_table::write_key(const Column_batch &rows, std::uint32_t row) {
  m_key.clear();
  for (const std::uint32_t place : m_aggregation.groups) {
    const Column_buffer &column = rows.columns()[place];
    if (column.is_null(row)) {
      m_key.push_back(0);
      continue;
    }
    m_key.push_back(1);
    if (column.layout() == Layout::bytes) {
      const std::string_view bytes = column.bytes(row);
      const auto size = static_cast<std::uint32_t>(bytes.size());
      m_key.append(reinterpret_cast<const char *>(&size), sizeof(size));
      m_key.append(bytes);
    } else {
      const std::size_t width = width_of(column.layout());
      m_key.append(column.values() + row * width, width);
    }
  }
}

bool Group_table::find_group(std::uint32_t row) {
  const std::uint64_t hash = hash_of(m_key, m_seed);
  for (std::size_t slot = hash;; ++slot) {
    const std::uint32_t taken = m_slots[slot & (m_slots.size() - 1)];
    if (taken == 0) break;
    if (m_hashes[taken - 1] == hash && key_of(taken - 1) == m_key) {
      m_of_row[row] = taken - 1;
      return true;
    }
  }
  m_of_row[row] = static_cast<std::uint32_t>(groups());
  return add_group(hash);
}

std::string_view Group_table::key_of(std::size_t group) const {
  const std::size_t begin = group == 0 ? 0 : m_ends[group - 1];
  return std::string_view(m_keys).substr(begin, m_ends[group] - begin);
}

bool Group_table::add_group(std::uint64_t hash) {
  if (groups() >= m_aggregation.max_groups || m_keys.size() + m_key.size() > m_most_key_bytes) {
    return false;
  }
  m_keys.append(m_key);
  m_ends.push_back(m_keys.size());
  m_hashes.push_back(hash);
  for (Computed &computed : m_computed) {
    computed.counts.push_back(0);
    if (computed.function.function == Aggregate::count) continue;
    computed.values.push_back(0);
    if (computed.layout == Layout::int128) computed.lower.push_back(0);
  }
  if (2 * groups() > m_slots.size()) {
    grow();
    return true;
  }
  std::size_t slot = hash;
  while (m_slots[slot & (m_slots.size() - 1)] != 0) ++slot;
  m_slots[slot & (m_slots.size() - 1)] = static_cast<std::uint32_t>(groups());
  return true;
}

void Group_table::grow() {
  std::vector<std::uint32_t> slots(2 * m_slots.size());
  for (std::size_t group = 0; group < groups(); ++group) {
    std::size_t slot = m_hashes[group];
    while (slots[slot & (slots.size() - 1)] != 0) ++slot;
    slots[slot & (slots.size() - 1)] = static_cast<std::uint32_t>(group + 1);
  }
  m_slots = std::move(slots);
}

void Group_table::compute(Computed &computed, const Column_batch &rows,
                          const std::vector<std::uint32_t> &groups) {
  const auto &[function, place] = computed.function;
  if (!place) {
    if (groups.empty()) {
      computed.counts.front() += rows.rows();
    } else {
      for (const std::uint32_t group : groups) ++computed.counts[group];
    }
    return;
  }
  const Column_buffer &column = rows.columns()[*place];
  if (function == Aggregate::count) {
    return count_values(column, rows.rows(), groups, computed.counts);
  }
  with_type_of(computed.layout, [&, called = function]<class T>(T) {
    std::int64_t *counts = computed.counts.data();
    __int128 *values = computed.values.data();
    __int128 *lower = computed.lower.data();
    for_values<T>(column, rows.rows(), groups, [=](std::uint32_t group, T value) {
      const bool is_first = counts[group]++ == 0;
      if (called == Aggregate::min) {
        if (is_first || value < values[group]) values[group] = value;
      } else if (called == Aggregate::max) {
        if (is_first || value > values[group]) values[group] = value;
      } else if constexpr (sizeof(T) == sizeof(__int128)) {
        values[group] += value >> 64;
        lower[group] += static_cast<std::uint64_t>(value);
      } else {
        values[group] += value;
      }
    });
  });
}

std::vector<Layout> Group_table::result_layouts() const {
  std::vector<Layout> layouts;
  for (const std::uint32_t place : m_aggregation.groups) layouts.push_back(m_layouts[place]);
  for (const Computed &computed : m_computed) {
    switch (computed.function.function) {
      case Aggregate::count:
        layouts.push_back(Layout::int64);
        break;
      case Aggregate::sum:
        layouts.push_back(Layout::int128);
        if (computed.layout == Layout::int128) layouts.push_back(Layout::int128);
        break;
      case Aggregate::min:
      case Aggregate::max:
        layouts.push_back(computed.layout);
        break;
    }
  }
  return layouts;
}

Column_batch Group_table::result() const {
  const auto count = static_cast<std::uint32_t>(groups());
  Column_batch batch(result_layouts(), count);
  for (std::uint32_t group = 0; group < count; ++group) {
    put_keys(batch, group);
    std::size_t column = m_aggregation.groups.size();
    for (const Computed &computed : m_computed) {
      put(computed, group, batch.columns(), column);
      const bool is_wide =
          computed.function.function == Aggregate::sum && computed.layout == Layout::int128;
      column += is_wide ? 2 : 1;
    }
  }
  batch.end_rows(count);
  return batch;
}

// As write_key() writes them.
void Group_table::put_keys(Column_batch &result, std::uint32_t group) const {
  std::string_view key = key_of(group);
  for (std::size_t i = 0; i < m_aggregation.groups.size(); ++i) {
    Column_buffer &column = result.columns()[i];
    const bool is_null = key.front() == 0;
    key.remove_prefix(1);
    if (is_null) {
      column.set_null(group);
      continue;
    }
    std::uint32_t size = static_cast<std::uint32_t>(width_of(column.layout()));
    if (column.layout() == Layout::bytes) {
      std::memcpy(&size, key.data(), sizeof(size));
      key.remove_prefix(sizeof(size));
      column.append_bytes(group, 1, [&](std::uint32_t) { return key.substr(0, size); });
    } else {
      with_type_of(column.layout(), [&]<class T>(T value) {
        std::memcpy(&value, key.data(), sizeof(T));
        column.set(group, value);
      });
    }
    key.remove_prefix(size);
  }
}

void Group_table::put(const Computed &computed, std::uint32_t group, std::vector<Column_buffer> &to,
                      std::size_t column) {
  const std::int64_t count = computed.counts[group];
  const Aggregate function = computed.function.function;
  if (function == Aggregate::count) return to[column].set(group, count);
  const bool is_sum = function == Aggregate::sum;
  const bool is_wide = is_sum && computed.layout == Layout::int128;
  if (count == 0) {
    to[column].set_null(group);
    if (is_wide) to[column + 1].set_null(group);
    return;
  }
  const __int128 value = computed.values[group];
  with_type_of(is_sum ? Layout::int128 : computed.layout,
               [&]<class T>(T) { to[column].set(group, static_cast<T>(value)); });
  if (is_wide) to[column + 1].set(group, computed.lower[group]);
}

}  // namespace pq
