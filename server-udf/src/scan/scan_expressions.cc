#include "scan/scan_expressions.h"

#include <algorithm>
#include <utility>

#include "pure/calendar.h"

namespace pq {

namespace {

using Input = Program::Input;

constexpr std::int64_t microseconds_of_day = 86'400'000'000;
constexpr std::size_t least_input_bytes = 4096;

// Of those that the calendar has. Cells_decoder writes other dates as lesser numbers.
constexpr std::int64_t first_day = calendar::days_of({1, 1, 1});
constexpr std::int64_t last_day = calendar::days_of({9999, 12, 31});

Input integer_input(const Cell_type &type) {
  const int bits = 8 * type.size;
  if (type.is_unsigned) {
    const Interval values{0, (Int128{1} << bits) - 1};
    switch (type.size) {
      case 1:
        return {Program::Kind::integer, Layout::int16, values};
      case 2:
      case 3:
        return {Program::Kind::integer, Layout::int32, values};
      case 4:
      case 5:
      case 6:
      case 7:
        return {Program::Kind::integer, Layout::int64, values};
      default:
        return {Program::Kind::integer, Layout::int128, values};
    }
  }
  const Interval values{-(Int128{1} << (bits - 1)), (Int128{1} << (bits - 1)) - 1};
  switch (type.size) {
    case 1:
      return {Program::Kind::integer, Layout::int8, values};
    case 2:
      return {Program::Kind::integer, Layout::int16, values};
    case 3:
    case 4:
      return {Program::Kind::integer, Layout::int32, values};
    default:
      return {Program::Kind::integer, Layout::int64, values};
  }
}

Input decimal_input(const Cell_type &type) {
  Int128 most = 1;
  for (int digit = 0; digit < type.precision; ++digit) most *= 10;
  return {Program::Kind::integer,
          type.precision <= 18 ? Layout::int64 : Layout::int128,
          {1 - most, most - 1}};
}

Result<Input> input_of(const Stored_column &column) {
  constexpr std::string_view unsupported = "is of a type of which no expressions are evaluated";
  if (!column.members.empty()) return Input{Program::Kind::text, Layout::bytes, {}};
  if (!column.type) return unsupported_column(column.field, unsupported);
  switch (column.type->kind) {
    case Cell_kind::stored_integer:
      return integer_input(*column.type);
    case Cell_kind::decimal:
      if (column.type->precision > 38) return unsupported_column(column.field, unsupported);
      return decimal_input(*column.type);
    case Cell_kind::stored_date:
      return Input{Program::Kind::integer, Layout::int32, {first_day, last_day}};
    case Cell_kind::datetime:
    case Cell_kind::timestamp:
      return Input{Program::Kind::integer,
                   Layout::int64,
                   {Int128{first_day} * microseconds_of_day,
                    Int128{last_day + 1} * microseconds_of_day - 1}};
    case Cell_kind::year:
      return Input{Program::Kind::integer, Layout::int32, {0, 9999}};
    case Cell_kind::bytes:
      return Input{Program::Kind::text, Layout::bytes, {}};
    case Cell_kind::double_number:
      return Input{Program::Kind::floating, Layout::int64, narrow_interval};
    case Cell_kind::time:
    case Cell_kind::float_number:
      break;
  }
  return unsupported_column(column.field, unsupported);
}

}  // namespace

Result<Scan_expressions> Scan_expressions::make(Stored_columns &columns,
                                                const std::vector<Wanted_expression> &expressions,
                                                std::vector<Record_layout::Column> &fields) {
  Scan_expressions made;
  const auto find = [&](const std::string &name) -> Result<Input> {
    const auto stored = columns.find(name);
    if (!stored) return std::unexpected(stored.error());
    const auto input = input_of(*stored);
    if (!input) return input;
    auto column = find_scan_column(columns, {name, input->layout});
    if (!column) return std::unexpected(column.error());
    const auto known = std::ranges::find(fields, column->field, &Record_layout::Column::field);
    made.m_places.push_back(static_cast<std::size_t>(known - fields.begin()));
    if (known == fields.end()) fields.push_back({column->field, stored_size(column->type)});
    made.m_columns.push_back(std::move(*column));
    return input;
  };
  auto program = Program::compile(expressions, find);
  if (!program) return std::unexpected(program.error());
  made.m_program = std::move(*program);
  return made;
}

std::size_t Scan_expressions::texts() const {
  std::size_t texts = 0;
  for (std::size_t i = 0; i < m_program.size(); ++i) {
    texts += m_program.kind(i) == Program::Kind::text ? 1 : 0;
  }
  return texts;
}

Scan_expressions::Values::Values(const Scan_expressions &expressions, std::uint32_t most_rows)
    : m_expressions(expressions),
      m_inputs(expressions.m_program.input_layouts(), most_rows),
      m_values(expressions.m_program, most_rows),
      m_data(most_rows),
      m_sizes(most_rows) {}

std::size_t Scan_expressions::Values::memory(const Scan_expressions &expressions,
                                             std::uint32_t most_rows) {
  std::size_t bytes = expressions.m_program.memory(most_rows);
  for (const Scan_column &column : expressions.m_columns) {
    bytes += least_input_bytes + width_of(column.layout) * most_rows;
  }
  return bytes + (sizeof(void *) + sizeof(std::uint32_t)) * most_rows;
}

bool Scan_expressions::Values::evaluate(const Cell_block &cells,
                                        std::span<const std::uint32_t> rows) {
  m_inputs.clear();
  for (std::size_t i = 0; i < m_expressions.m_columns.size(); ++i) {
    const Cells of_column =
        cells.cells(m_expressions.m_places[i], static_cast<std::uint32_t>(rows.size()));
    fill_column(m_expressions.m_columns[i], gather(of_column, rows), 0, m_inputs.columns()[i],
                m_scratch);
  }
  m_inputs.end_rows(static_cast<std::uint32_t>(rows.size()));
  return m_values.evaluate(m_inputs);
}

// The cells of the rows, one behind the other. They are so already if the rows are all of a block.
Cells Scan_expressions::Values::gather(const Cells &cells, std::span<const std::uint32_t> rows) {
  if (rows.empty() || rows.back() == rows.size() - 1) return cells;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    m_data[i] = cells.data[rows[i]];
    m_sizes[i] = cells.sizes[rows[i]];
  }
  return {m_data.data(), m_sizes.data(), cells.count, cells.distance};
}

void Scan_expressions::Values::append_to(std::span<Column_buffer> columns,
                                         std::uint32_t first_row) const {
  for (std::size_t i = 0; i < columns.size(); ++i) m_values.append_to(columns[i], first_row, i);
}

std::uint32_t Scan_expressions::Values::keep_true(std::span<std::uint32_t> rows) const {
  return m_values.keep_true(rows);
}

}  // namespace pq
