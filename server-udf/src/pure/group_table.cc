#include "pure/group_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>

#include "pure/floating_order.h"

namespace pq {

namespace {

// If there are so few groups, a batch's rows are added up apart, in several sums for each group.
// The next row then need not wait for the one before.
constexpr std::size_t few_groups = 32;
constexpr std::size_t sums_of_group = 4;

constexpr __int128 greatest = std::numeric_limits<__int128>::max();
constexpr __int128 least = std::numeric_limits<__int128>::min();

template <class T>
T value_at(const char *values, std::size_t row) {
  T value;
  std::memcpy(&value, values + row * sizeof(T), sizeof(T));
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

// Whether sums of so many such values have 64 bits for certain.
template <class T>
bool has_narrow_sums(const char *values, std::size_t rows) {
  if constexpr (sizeof(T) < sizeof(std::int64_t)) return rows <= UINT32_MAX;
  // A negative value counts by its complement, which has as many bits.
  std::uint64_t bits = 0;
  std::uint64_t upper_bits = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const T value = value_at<T>(values, row);
    const auto narrow = static_cast<std::int64_t>(value);
    bits |= static_cast<std::uint64_t>(narrow ^ narrow >> 63);
    if constexpr (sizeof(T) > sizeof(narrow)) {
      upper_bits |= static_cast<std::uint64_t>((value >> 64) ^ (narrow >> 63));
    }
  }
  return upper_bits == 0 && bits < INT64_MAX / std::max<std::size_t>(rows, 1);
}

// Calls `take` with the group and the value of each row that has one.
template <class T, class Take>
void for_values(const Column_buffer &column, const std::vector<std::uint32_t> &groups, Take take) {
  const char *values = column.values();
  for (std::size_t row = 0; row < groups.size(); ++row) {
    if (column.nulls() > 0 && column.is_null(static_cast<std::uint32_t>(row))) continue;
    take(groups[row], value_at<T>(values, row));
  }
}

bool gives_beside(const Wanted_function &function) { return function.beside.has_value(); }

// Adds up the values of each group. Those of NULLs are 0.
template <class T>
std::array<std::int64_t, few_groups> add_narrow(const char *values,
                                                const std::vector<std::uint32_t> &groups,
                                                std::size_t count) {
  std::array<std::int64_t, few_groups * sums_of_group> parts;
  std::fill_n(parts.begin(), count * sums_of_group, 0);
  const std::size_t rows = groups.size();
  const auto add = [&](std::size_t row, std::size_t part) {
    const auto value = static_cast<std::int64_t>(value_at<T>(values, row));
    parts[groups[row] * sums_of_group + part] += value;
  };
  std::size_t row = 0;
  for (; row + sums_of_group <= rows; row += sums_of_group) {
    for (std::size_t part = 0; part < sums_of_group; ++part) add(row + part, part);
  }
  for (; row < rows; ++row) add(row, 0);
  std::array<std::int64_t, few_groups> sums;
  for (std::size_t group = 0; group < count; ++group) {
    const auto *first = parts.begin() + group * sums_of_group;
    sums[group] = std::accumulate(first, first + sums_of_group, std::int64_t{0});
  }
  return sums;
}

}  // namespace

Group_table::Group_table(const std::vector<Layout> &layouts, const Wanted_aggregation &aggregation,
                         const std::vector<bool> &floating)
    : m_layouts(layouts),
      m_places(aggregation.groups),
      m_keys(layouts, aggregation.groups),
      m_row_bytes(most_row_bytes(aggregation)) {
  for (const Wanted_function &function : aggregation.functions) {
    m_computed.push_back({function, function.column ? layouts[*function.column] : Layout::int64,
                          function.column && !floating.empty() && floating[*function.column]});
    if (!function.beside) continue;
    // Its values are given as they are, so that floating ones need no order.
    m_computed.push_back(
        {{function.function, function.beside}, layouts[*function.beside], false, true});
  }
  make_room();
}

// What grows has up to twice the memory that it needs, and the old memory beside it. At the end the
// result and the batch that is made of it stand beside the table, and the functions' texts, each in
// memory of its own.
std::size_t Group_table::memory(const Wanted_aggregation &aggregation, std::size_t groups,
                                std::size_t bytes) {
  constexpr std::size_t bytes_of_allocation = 16;
  constexpr std::size_t bytes_of_value =
      sizeof(std::int64_t) + std::max(2 * sizeof(__int128), sizeof(Text) + bytes_of_allocation);
  const auto beside =
      static_cast<std::size_t>(std::ranges::count_if(aggregation.functions, gives_beside));
  return Group_keys::memory(aggregation.groups.size(), groups, bytes) +
         3 * groups * (aggregation.functions.size() + beside) * bytes_of_value +
         (beside > 0 ? 3 * groups * sizeof(std::uint32_t) : 0) + 3 * bytes;
}

std::size_t Group_table::most_row_bytes(const Wanted_aggregation &aggregation) {
  return aggregation.groups.size() * sizeof(__int128) +
         aggregation.functions.size() * 2 * sizeof(__int128);
}

std::size_t Group_table::texts(const std::vector<Layout> &layouts,
                               const Wanted_aggregation &aggregation) {
  std::size_t texts = 0;
  for (const Wanted_function &one : aggregation.functions) {
    if (one.function != Aggregate::count && layouts[*one.column] == Layout::bytes) ++texts;
    if (one.beside && layouts[*one.beside] == Layout::bytes) ++texts;
  }
  return texts;
}

bool Group_table::takes(const Column_batch &rows) const {
  return std::ranges::all_of(m_computed, [&](const Computed &computed) {
    if (!computed.keeps_texts()) return true;
    const Column_buffer &column = rows.columns()[*computed.function.column];
    for (std::uint32_t row = 0; row < rows.rows(); ++row) {
      if (column.bytes(row).size() > most_text_bytes) return false;
    }
    return true;
  });
}

void Group_table::add(const Column_batch &rows) {
  if (rows.rows() == 0) return;
  const std::vector<std::uint32_t> &groups = m_keys.number(rows);
  make_room();
  if (groups_are_few()) {
    m_rows_of_group.assign(m_keys.count(), 0);
    for (const std::uint32_t group : groups) ++m_rows_of_group[group];
  }
  for (std::size_t i = 0; i < m_computed.size(); ++i) {
    Computed &computed = m_computed[i];
    if (!computed.function.beside) {
      compute(computed, rows, groups);
      continue;
    }
    choose_rows(computed, rows.columns()[*computed.function.column], groups);
    ++i;
    keep_chosen_rows(m_computed[i], rows.columns()[*computed.function.beside], groups);
  }
}

bool Group_table::groups_are_few() const { return m_keys.count() <= few_groups; }

void Group_table::make_room() {
  const std::size_t count = m_keys.count();
  m_chosen_rows.resize(std::ranges::any_of(m_computed, &Computed::is_beside) ? count : 0);
  for (Computed &computed : m_computed) {
    computed.counts.resize(count);
    if (computed.keeps_texts()) {
      computed.texts.resize(count);
      continue;
    }
    switch (computed.function.function) {
      case Aggregate::count:
        break;
      case Aggregate::sum:
        if (computed.is_floating) {
          computed.floating_sums.resize(count);
          break;
        }
        computed.values.resize(count);
        if (computed.is_wide_sum()) computed.lower.resize(count);
        break;
      case Aggregate::min:
        computed.values.resize(count, greatest);
        break;
      case Aggregate::max:
        computed.values.resize(count, least);
        break;
    }
  }
}

void Group_table::compute(Computed &computed, const Column_batch &rows,
                          const std::vector<std::uint32_t> &groups) {
  const auto &[function, place, beside] = computed.function;
  count_rows(computed.counts, groups);
  if (!place) return;
  const Column_buffer &column = rows.columns()[*place];
  if (column.nulls() > 0) {
    for (std::size_t row = 0; row < groups.size(); ++row) {
      computed.counts[groups[row]] -= column.is_null(static_cast<std::uint32_t>(row)) ? 1 : 0;
    }
  }
  if (function == Aggregate::count) return;
  if (computed.keeps_texts()) return keep_texts(computed, column, groups);
  if (computed.is_floating_sum()) {
    // In the order of the rows: another one gives other sums.
    double *sums = computed.floating_sums.data();
    return for_values<double>(column, groups,
                              [=](std::uint32_t group, double value) { sums[group] += value; });
  }
  with_type_of(computed.layout, [&, called = function]<class T>(T) {
    called == Aggregate::sum ? add_values<T>(computed, column, groups)
                             : keep_numbers<T>(computed, column, groups);
  });
}

template <class T>
void Group_table::keep_numbers(Computed &computed, const Column_buffer &column,
                               const std::vector<std::uint32_t> &groups) {
  __int128 *values = computed.values.data();
  const auto keep_least = [=](std::uint32_t group, T value) {
    if (value < values[group]) values[group] = value;
  };
  const auto keep_greatest = [=](std::uint32_t group, T value) {
    if (value > values[group]) values[group] = value;
  };
  const auto keep_all = [&](auto keep) {
    if (!computed.is_floating) return for_values<T>(column, groups, keep);
    for_values<T>(column, groups,
                  [=](std::uint32_t group, T bits) { keep(group, floating_order(bits)); });
  };
  computed.function.function == Aggregate::min ? keep_all(keep_least) : keep_all(keep_greatest);
}

// Keeps the extremes, and notes in which rows they are.
void Group_table::choose_rows(Computed &extreme, const Column_buffer &column,
                              const std::vector<std::uint32_t> &groups) {
  const bool wants_least = extreme.function.function == Aggregate::min;
  const auto is_better = [=](const auto &value, const auto &kept) {
    return wants_least ? value < kept : value > kept;
  };
  const auto choose = [&](auto keep) {
    for (std::uint32_t row = 0; row < groups.size(); ++row) {
      if (column.is_null(row)) continue;
      const std::uint32_t group = groups[row];
      const bool is_first = extreme.counts[group]++ == 0;
      if (keep(group, row, is_first)) m_chosen_rows[group] = row + 1;
    }
  };
  if (extreme.keeps_texts()) {
    return choose([&](std::uint32_t group, std::uint32_t row, bool is_first) {
      Text &kept = extreme.texts[group];
      const std::string_view text = column.bytes(row);
      if (!is_first && !is_better(text, std::string_view(*kept))) return false;
      keep_text(kept, text);
      return true;
    });
  }
  with_type_of(extreme.layout, [&]<class T>(T) {
    choose([&](std::uint32_t group, std::uint32_t row, bool is_first) {
      const T stored = value_at<T>(column.values(), row);
      const __int128 value = extreme.is_floating ? floating_order(stored) : stored;
      if (!is_first && !is_better(value, extreme.values[group])) return false;
      extreme.values[group] = value;
      return true;
    });
  });
}

void Group_table::keep_chosen_rows(Computed &beside, const Column_buffer &column,
                                   const std::vector<std::uint32_t> &groups) {
  const auto keep_all = [&](auto keep) {
    for (std::uint32_t row = 0; row < groups.size(); ++row) {
      const std::uint32_t group = groups[row];
      if (m_chosen_rows[group] != row + 1) continue;
      m_chosen_rows[group] = 0;
      beside.counts[group] = column.is_null(row) ? 0 : 1;
      if (!column.is_null(row)) keep(group, row);
    }
  };
  if (beside.keeps_texts()) {
    return keep_all([&](std::uint32_t group, std::uint32_t row) {
      keep_text(beside.texts[group], column.bytes(row));
    });
  }
  with_type_of(beside.layout, [&]<class T>(T) {
    keep_all([&](std::uint32_t group, std::uint32_t row) {
      beside.values[group] = value_at<T>(column.values(), row);
    });
  });
}

// Texts compare by their bytes, as unsigned numbers.
void Group_table::keep_texts(Computed &computed, const Column_buffer &column,
                             const std::vector<std::uint32_t> &groups) {
  const bool wants_least = computed.function.function == Aggregate::min;
  for (std::uint32_t row = 0; row < groups.size(); ++row) {
    if (column.is_null(row)) continue;
    Text &kept = computed.texts[groups[row]];
    const std::string_view text = column.bytes(row);
    if (!kept || (wants_least ? text < *kept : text > *kept)) keep_text(kept, text);
  }
}

// A string that grows by itself would take more memory than the text.
void Group_table::keep_text(Text &kept, std::string_view text) {
  if (kept && text.size() <= kept->capacity()) {
    kept->assign(text);
    return;
  }
  if (kept) m_text_bytes -= kept->capacity();
  kept = std::string(text);
  m_text_bytes += kept->capacity();
}

void Group_table::count_rows(std::vector<std::int64_t> &counts,
                             const std::vector<std::uint32_t> &groups) const {
  if (groups_are_few()) {
    for (std::size_t group = 0; group < counts.size(); ++group) {
      counts[group] += m_rows_of_group[group];
    }
  } else {
    for (const std::uint32_t group : groups) ++counts[group];
  }
}

template <class T>
void Group_table::add_values(Computed &computed, const Column_buffer &column,
                             const std::vector<std::uint32_t> &groups) {
  __int128 *values = computed.values.data();
  __int128 *lower = computed.lower.data();
  const auto add = [=](std::size_t group, T value) {
    if constexpr (sizeof(T) == sizeof(__int128)) {
      values[group] += value >> 64;
      lower[group] += static_cast<std::uint64_t>(value);
    } else {
      values[group] += value;
    }
  };
  if (!groups_are_few() || !has_narrow_sums<T>(column.values(), groups.size())) {
    return for_values<T>(column, groups, add);
  }
  const auto sums = add_narrow<T>(column.values(), groups, m_keys.count());
  for (std::size_t group = 0; group < m_keys.count(); ++group) {
    const std::int64_t sum = sums[group];
    if constexpr (sizeof(T) == sizeof(__int128)) {
      add(group, sum);
    } else {
      values[group] += sum;
    }
  }
}

std::vector<Layout> Group_table::result_layouts() const {
  std::vector<Layout> layouts;
  for (const std::uint32_t place : m_places) layouts.push_back(m_layouts[place]);
  for (const Computed &computed : m_computed) {
    switch (computed.function.function) {
      case Aggregate::count:
        layouts.push_back(Layout::int64);
        break;
      case Aggregate::sum:
        layouts.push_back(computed.is_floating ? Layout::int64 : Layout::int128);
        if (computed.is_wide_sum()) layouts.push_back(Layout::int128);
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
  Column_batch batch(result_layouts(), groups());
  m_keys.put(batch);
  for (std::uint32_t group = 0; group < groups(); ++group) {
    std::size_t column = m_places.size();
    for (const Computed &computed : m_computed) {
      put(computed, group, batch.columns(), column);
      column += computed.is_wide_sum() ? 2 : 1;
    }
  }
  batch.end_rows(groups());
  return batch;
}

void Group_table::put(const Computed &computed, std::uint32_t group, std::vector<Column_buffer> &to,
                      std::size_t column) {
  const std::int64_t count = computed.counts[group];
  const Aggregate function = computed.function.function;
  if (function == Aggregate::count) return to[column].set(group, count);
  if (computed.keeps_texts()) {
    return to[column].append_bytes(group, 1, [&](std::uint32_t) -> std::string_view {
      return count == 0 ? std::string_view() : std::string_view(*computed.texts[group]);
    });
  }
  const bool is_wide = computed.is_wide_sum();
  if (count == 0) {
    to[column].set_null(group);
    if (is_wide) to[column + 1].set_null(group);
    return;
  }
  if (computed.is_floating_sum()) return to[column].set(group, computed.floating_sums[group]);
  __int128 value = computed.values[group];
  if (is_wide) {
    const __int128 lower = computed.lower[group];
    value += lower >> 64;
    to[column + 1].set(group, static_cast<__int128>(static_cast<std::uint64_t>(lower)));
  }
  const bool is_sum = function == Aggregate::sum;
  with_type_of(is_sum ? Layout::int128 : computed.layout, [&]<class T>(T) {
    const auto number = static_cast<T>(value);
    to[column].set(group, computed.is_floating ? floating_order(number) : number);
  });
}

void Group_table::clear() {
  m_keys.clear();
  m_chosen_rows.clear();
  for (Computed &computed : m_computed) {
    computed.counts.clear();
    computed.values.clear();
    computed.lower.clear();
    computed.floating_sums.clear();
    computed.texts.clear();
  }
  m_text_bytes = 0;
  make_room();
}

}  // namespace pq
