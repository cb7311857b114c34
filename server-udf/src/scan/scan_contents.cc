#include "scan/scan_contents.h"

#include <algorithm>
#include <utility>

namespace pq {

namespace {

// The texts of ENUM and SET columns in one row.
constexpr std::size_t most_member_bytes = 64 * 1024;

// What a row has off-page. Each value is read without a look at KILL.
constexpr std::size_t most_off_page_bytes_of_row = 4 * 1024 * 1024;

std::uint64_t off_page_bytes(const Stored_columns &stored,
                             const std::vector<Record_layout::Column> &fields) {
  std::uint64_t bytes = 0;
  for (const Record_layout::Column &one : fields) {
    if (!DATA_BIG_COL(stored.lease().tree()->index->get_col(one.field))) continue;
    const Field *field = stored.field_of(one.field);
    bytes += field == nullptr ? UINT32_MAX : field->max_data_length();
  }
  return bytes;
}

}  // namespace

Result<Scan_contents> Scan_contents::find(const Table_lease &lease, const Scan_request &request) {
  Stored_columns stored(lease);
  for (const Wanted_type &wanted : request.types) {
    if (auto same = check_type(stored, wanted); !same) return std::unexpected(same.error());
  }
  Scan_contents contents;
  if (auto found = contents.find_columns(stored, request); !found) {
    return std::unexpected(found.error());
  }
  if (auto found = contents.find_expressions(stored, request); !found) {
    return std::unexpected(found.error());
  }
  auto conditions = Scan_conditions::make(stored, request.conditions, contents.m_fields);
  if (!conditions) return std::unexpected(conditions.error());
  contents.m_conditions = std::move(*conditions);
  contents.find_sizes(stored, request);
  return contents;
}

Result<void> Scan_contents::find_columns(Stored_columns &stored, const Scan_request &request) {
  for (const Wanted_column &wanted : request.columns) {
    auto column = find_scan_column(stored, wanted);
    if (!column) return std::unexpected(column.error());
    if (std::ranges::find(m_fields, column->field, &Record_layout::Column::field) !=
        m_fields.end()) {
      return fail(Code::bad_argument, "column '" + column->name + "' is requested twice");
    }
    m_fields.push_back({column->field, stored_size(column->type)});
    m_layouts.push_back(column->layout);
    m_columns.push_back(std::move(*column));
  }
  return add_sizes(m_columns);
}

Result<void> Scan_contents::find_expressions(Stored_columns &stored, const Scan_request &request) {
  std::vector<Wanted_expression> wanted;
  for (const Wanted_result &result : request.expressions) wanted.push_back(result.expression);
  auto expressions = Scan_expressions::make(stored, wanted, m_fields);
  if (!expressions) return std::unexpected(expressions.error());
  for (std::size_t i = 0; i < request.expressions.size(); ++i) {
    const Layout layout = request.expressions[i].layout;
    auto fits = expressions->program().check_layout(i, layout);
    if (!fits) return fits;
    m_layouts.push_back(layout);
  }
  auto where = Scan_expressions::make(stored, request.where, m_fields);
  if (!where) return std::unexpected(where.error());
  for (std::size_t i = 0; i < request.where.size(); ++i) {
    if (where->program().kind(i) != Program::Kind::truth) {
      return fail(Code::bad_argument, "options.where must hold truth values");
    }
  }
  m_expressions = std::move(*expressions);
  m_where = std::move(*where);
  if (auto found = find_order(stored, request); !found) return found;
  for (const auto *evaluated : {&m_expressions, &m_where, &m_order}) {
    if (auto added = add_sizes(evaluated->columns()); !added) return added;
  }
  return {};
}

Result<void> Scan_contents::find_order(Stored_columns &stored, const Scan_request &request) {
  if (!request.first) return {};
  std::vector<Wanted_expression> wanted;
  for (const Wanted_order &order : request.first->order) wanted.push_back(order.expression);
  auto order = Scan_expressions::make(stored, wanted, m_fields);
  if (!order) return std::unexpected(order.error());
  m_order = std::move(*order);
  auto alone = Scan_expressions::make(stored, wanted, m_order_fields);
  if (!alone) return std::unexpected(alone.error());
  m_order_alone = std::move(*alone);
  return {};
}

Result<void> Scan_contents::add_sizes(const std::vector<Scan_column> &columns) {
  for (const Scan_column &column : columns) {
    if (column.is_converted) m_growth = most_growth;
    m_member_bytes += column.members.longest();
  }
  if (m_member_bytes <= most_member_bytes) return {};
  return fail(Code::unsupported_scan,
              "the members of the ENUM and SET columns are too long in total");
}

void Scan_contents::find_sizes(const Stored_columns &stored, const Scan_request &request) {
  if (m_conditions.converts()) m_growth = most_growth;
  // Filters are made from copies.
  m_value_bytes = stored.member_memory() + 2 * m_conditions.memory();
  m_off_page_bytes_of_types = off_page_bytes(stored, m_fields);
  m_most_off_page_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(
      {m_off_page_bytes_of_types, request.batch_bytes / m_growth, most_off_page_bytes_of_row}));
}

// MySQL shows a FLOAT with six digits, and whoever adds what it shows gets another sum.
Result<void> Scan_contents::check_aggregation(const Wanted_aggregation &aggregation) const {
  for (const auto &[function, place, beside] : aggregation.functions) {
    if (function != Aggregate::sum || *place >= m_columns.size()) continue;
    const Scan_column &column = m_columns[*place];
    if (column.type.kind != Cell_kind::float_number) continue;
    return fail(Code::unsupported_scan,
                "column '" + column.name + "' is a FLOAT, of which no sums are computed");
  }
  return {};
}

std::vector<bool> Scan_contents::floating() const {
  std::vector<bool> floating(m_layouts.size());
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const Cell_kind kind = m_columns[i].type.kind;
    floating[i] = kind == Cell_kind::double_number || kind == Cell_kind::float_number;
  }
  return floating;
}

Result<void> Scan_contents::check_access(const Table_lease &lease) const {
  for (const auto *columns :
       {&m_columns, &m_expressions.columns(), &m_where.columns(), &m_order.columns()}) {
    for (const Scan_column &column : *columns) {
      if (auto allowed = lease.check_column(column.name.c_str()); !allowed) return allowed;
    }
  }
  for (const std::string &name : m_conditions.columns()) {
    if (auto allowed = lease.check_column(name.c_str()); !allowed) return allowed;
  }
  return {};
}

}  // namespace pq
