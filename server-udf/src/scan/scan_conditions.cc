#include "scan/scan_conditions.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "pure/hex.h"
#include "pure/key_codec.h"
#include "pure/stored_numbers.h"
#include "pure/utf8.h"
#include "tree/key_description.h"

namespace pq {

namespace {

// Values of an ENUM or a SET that are compared before the scan. If there are more, the text of each
// cell is compared.
constexpr std::uint64_t most_listed = 1024;

constexpr std::string_view not_comparable = "cannot be compared by its stored bytes";

// Whether the cells, as numbers or bytes, sort as the values do. Text is compared by its code
// points, whatever its collation.
bool sorts_as_stored(const std::optional<Cell_type> &type) {
  // What MySQL shows of a FLOAT is rounded.
  return type && type->kind != Cell_kind::float_number;
}

std::unexpected<Error> bad_bytes(const Field *field, const std::string &written) {
  return fail(Code::bad_argument, "value '" + printable(written) + "' of column '" +
                                      printable(field->field_name) + "' must be bytes in hex");
}

// Encodes the value as it is stored, and text in utf8mb4.
Result<std::string> encode_value(const Table_lease &lease, const Stored_column &column,
                                 const std::string &written) {
  if (column.type->kind == Cell_kind::bytes || !column.members.empty()) {
    auto bytes = from_hex(written);
    if (!bytes) return bad_bytes(column.field, written);
    return std::move(*bytes);
  }
  const dict_field_t *part = lease.tree()->index->get_field(column.index_field);
  return encode_key(describe_column(part->col, 0, column.field).column, written);
}

Result<std::optional<Filter_end>> encode_end(const Table_lease &lease, const Stored_column &column,
                                             const std::optional<std::string> &written,
                                             bool inclusive) {
  if (!written) return std::nullopt;
  auto stored = encode_value(lease, column, *written);
  if (!stored) return std::unexpected(stored.error());
  return Filter_end{std::move(*stored), inclusive};
}

Result<Filter_interval> encode_interval(const Table_lease &lease, const Stored_column &column,
                                        const Wanted_interval &wanted) {
  auto low = encode_end(lease, column, wanted.low, wanted.low_inclusive);
  if (!low) return std::unexpected(low.error());
  auto high = encode_end(lease, column, wanted.high, wanted.high_inclusive);
  if (!high) return std::unexpected(high.error());
  return Filter_interval{std::move(*low), std::move(*high)};
}

Result<std::vector<Filter_interval>> encode_intervals(const Table_lease &lease,
                                                      const Stored_column &column,
                                                      const std::vector<Wanted_interval> &wanted) {
  std::vector<Filter_interval> intervals;
  for (const Wanted_interval &interval : wanted) {
    auto encoded = encode_interval(lease, column, interval);
    if (!encoded) return std::unexpected(encoded.error());
    intervals.push_back(std::move(*encoded));
  }
  return intervals;
}

// A filter keeps them, perhaps joined.
std::size_t memory_of(const std::vector<Filter_interval> &intervals) {
  std::size_t bytes = intervals.size() * sizeof(Filter_interval);
  for (const auto &[low, high] : intervals) {
    if (low) bytes += low->stored.size();
    if (high) bytes += high->stored.size();
  }
  return bytes;
}

// What MySQL shows of a SET is compared as CHAR is.
Cell_type text_of(const Member_texts &members) { return {.is_padded = members.is_set()}; }

// The numbers of the members that pass.
std::vector<Filter_interval> numbers_of_members(const Stored_column &column,
                                                const std::vector<Filter_interval> &intervals) {
  const Cell_filter filter(text_of(column.members), intervals, false);
  std::vector<Filter_interval> numbers;
  std::string scratch;
  for (std::uint64_t i = 0; i <= column.members.last_number(); ++i) {
    const std::string_view member = column.members.text(i, scratch);
    const auto *text = reinterpret_cast<const unsigned char *>(member.data());
    const auto size = static_cast<std::uint32_t>(member.size());
    std::uint32_t row = 0;
    if (filter.apply({&text, &size, 1}, &row, 1) == 0) continue;
    std::string number;
    for (std::size_t byte = column.type->size; byte-- > 0;) {
      number.push_back(static_cast<char>(i >> (8 * byte)));
    }
    numbers.push_back({Filter_end{number}, Filter_end{number}});
  }
  return numbers;
}

std::uint32_t apply_to_texts(const Cell_filter &filter, const Member_texts &members,
                             std::size_t size, const Cells &cells, std::span<std::uint32_t> rows,
                             std::string &scratch) {
  std::uint32_t kept = 0;
  for (const std::uint32_t row : rows) {
    std::string_view text;
    const unsigned char *cell = cells.at(row);
    if (cell != nullptr) text = members.text(big_endian(cell, size), scratch);
    const auto *data = reinterpret_cast<const unsigned char *>(text.data());
    const auto bytes = static_cast<std::uint32_t>(text.size());
    std::uint32_t only = 0;
    if (filter.apply({&data, &bytes, 1}, &only, 1) != 0) rows[kept++] = row;
  }
  return kept;
}

}  // namespace

Cells Converted_cells::convert(const CHARSET_INFO *charset, const Cells &cells,
                               std::span<const std::uint32_t> rows) {
  std::size_t bytes = 0;
  for (const std::uint32_t row : rows) {
    if (cells.at(row) != nullptr) bytes += cells.sizes[row] * most_growth;
  }
  m_text.resize(std::max(m_text.size(), bytes));
  m_data.resize(std::max<std::size_t>(m_data.size(), cells.count));
  m_sizes.resize(m_data.size());
  char *to = m_text.data();
  for (const std::uint32_t row : rows) {
    m_data[row] = nullptr;
    if (cells.at(row) == nullptr) continue;
    const std::size_t room = cells.sizes[row] * most_growth;
    m_sizes[row] = static_cast<std::uint32_t>(
        convert_text(charset, cells.at(row), cells.sizes[row], to, room));
    m_data[row] = reinterpret_cast<const unsigned char *>(to);
    to += room;
  }
  return {m_data.data(), m_sizes.data(), cells.count};
}

Scan_conditions::Scratch::Scratch(std::uint32_t most_rows) {
  for (Level &level : levels) {
    level.rows.resize(most_rows);
    level.passed.resize(most_rows);
  }
}

Result<Scan_conditions> Scan_conditions::make(Stored_columns &columns,
                                              const Wanted_conditions &wanted,
                                              std::vector<Record_layout::Column> &fields) {
  Scan_conditions conditions;
  const auto add_all = [&](const auto &all) -> Result<void> {
    for (const auto &one : all) {
      if (auto added = conditions.add(columns, one, fields); !added) return added;
    }
    return {};
  };
  auto added = add_all(wanted.filters);
  if (added) added = add_all(wanted.comparisons);
  if (added) added = add_all(wanted.choices);
  if (!added) return std::unexpected(added.error());
  return conditions;
}

Result<Scan_conditions::Found> Scan_conditions::find(Stored_columns &columns,
                                                     const std::string &column,
                                                     std::vector<Record_layout::Column> &fields) {
  const auto stored = columns.find(column);
  if (!stored) return std::unexpected(stored.error());
  if (!sorts_as_stored(stored->type)) return unsupported_column(stored->field, not_comparable);
  const auto known = std::ranges::find(fields, stored->index_field, &Record_layout::Column::field);
  const auto place = static_cast<std::size_t>(known - fields.begin());
  if (known == fields.end()) fields.push_back({stored->index_field, stored_size(*stored->type)});
  m_columns.emplace_back(stored->field->field_name);
  m_places.push_back(place);
  return Found{{place, stored->is_converted ? stored->charset : nullptr}, *stored->type, *stored};
}

Result<void> Scan_conditions::add(Stored_columns &columns, const Wanted_filter &wanted,
                                  std::vector<Record_layout::Column> &fields) {
  const auto found = find(columns, wanted.column, fields);
  if (!found) return std::unexpected(found.error());
  auto intervals = encode_intervals(columns.lease(), found->stored, wanted.intervals);
  if (!intervals) return std::unexpected(intervals.error());
  const Member_texts &members = found->stored.members;
  if (members.last_number() >= most_listed) {
    m_memory += memory_of(*intervals);
    Cell_filter filter(text_of(members), *intervals, wanted.null_passes);
    m_filters.push_back({found->operand, std::move(filter), members, found->type.size});
    return {};
  }
  if (!members.empty()) *intervals = numbers_of_members(found->stored, *intervals);
  m_memory += memory_of(*intervals);
  Cell_filter filter(found->type, *intervals, wanted.null_passes);
  m_filters.push_back({found->operand, std::move(filter), {}, 0});
  return {};
}

Result<void> Scan_conditions::add(Stored_columns &columns, const Wanted_comparison &wanted,
                                  std::vector<Record_layout::Column> &fields) {
  const auto left = find(columns, wanted.left, fields);
  if (!left) return std::unexpected(left.error());
  const auto right = find(columns, wanted.right, fields);
  if (!right) return std::unexpected(right.error());
  const auto is_text = [](const Found &one) { return one.stored.charset != &my_charset_bin; };
  const bool are_members = !left->stored.members.empty() || !right->stored.members.empty();
  if (are_members || left->type != right->type || is_text(*left) != is_text(*right)) {
    return unsupported_column(left->stored.field,
                              "is stored differently from the column that it is compared with");
  }
  m_comparisons.push_back(
      {left->operand, right->operand, Cell_comparison(left->type, wanted.comparison)});
  return {};
}

Result<void> Scan_conditions::add(Stored_columns &columns, const Wanted_choice &wanted,
                                  std::vector<Record_layout::Column> &fields) {
  Choice choice;
  for (const Wanted_conditions &alternative : wanted.alternatives) {
    auto made = make(columns, alternative, fields);
    if (!made) return std::unexpected(made.error());
    m_columns.insert(m_columns.end(), made->m_columns.begin(), made->m_columns.end());
    m_places.insert(m_places.end(), made->m_places.begin(), made->m_places.end());
    m_memory += made->m_memory;
    choice.alternatives.push_back(std::move(*made));
  }
  m_choices.push_back(std::move(choice));
  return {};
}

bool Scan_conditions::converts() const {
  const auto is_converted = [](const Operand &operand) {
    return operand.converted_from != nullptr;
  };
  return std::ranges::any_of(m_filters,
                             [&](const Filter &one) { return is_converted(one.operand); }) ||
         std::ranges::any_of(m_comparisons,
                             [&](const Compared &one) {
                               return is_converted(one.left) || is_converted(one.right);
                             }) ||
         std::ranges::any_of(m_choices, [](const Choice &choice) {
           return std::ranges::any_of(choice.alternatives, &Scan_conditions::converts);
         });
}

std::uint32_t Scan_conditions::apply(Cell_block &cells, std::span<std::uint32_t> rows,
                                     Scratch &scratch, std::size_t level) const {
  const auto cells_of = [&](const Operand &operand, Converted_cells &text) {
    const Cells stored = cells.cells(operand.place, cells.rows());
    return operand.converted_from == nullptr ? stored
                                             : text.convert(operand.converted_from, stored, rows);
  };
  const auto keep = [&rows](std::uint32_t kept) { rows = rows.first(kept); };
  const auto count = [&rows] { return static_cast<std::uint32_t>(rows.size()); };
  for (const auto &[operand, filter, members, size] : m_filters) {
    const Cells found = cells_of(operand, scratch.texts[0]);
    keep(members.empty() ? filter.apply(found, rows.data(), count())
                         : apply_to_texts(filter, members, size, found, rows, scratch.members));
  }
  for (const auto &[left, right, comparison] : m_comparisons) {
    keep(comparison.apply(cells_of(left, scratch.texts[0]), cells_of(right, scratch.texts[1]),
                          rows.data(), count()));
  }
  for (const Choice &choice : m_choices) keep(apply(choice, cells, rows, scratch, level));
  return count();
}

std::uint32_t Scan_conditions::apply(const Choice &choice, Cell_block &cells,
                                     std::span<std::uint32_t> rows, Scratch &scratch,
                                     std::size_t level) {
  auto &[left, passed] = scratch.levels.at(level);
  for (const std::uint32_t row : rows) passed[row] = 0;
  for (const Scan_conditions &alternative : choice.alternatives) {
    std::uint32_t count = 0;
    for (const std::uint32_t row : rows) {
      left[count] = row;
      count += passed[row] == 0 ? 1 : 0;
    }
    const std::uint32_t kept =
        alternative.apply(cells, std::span(left).first(count), scratch, level + 1);
    for (std::uint32_t i = 0; i < kept; ++i) passed[left[i]] = 1;
  }
  const auto removed =
      std::ranges::remove_if(rows, [&passed](std::uint32_t row) { return passed[row] == 0; });
  return static_cast<std::uint32_t>(rows.size() - removed.size());
}

}  // namespace pq
