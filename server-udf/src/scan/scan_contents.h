// Knows what a native scan takes from each row, and how many bytes that may be.

#ifndef MYSQL_PQ_SCAN_SCAN_CONTENTS_H
#define MYSQL_PQ_SCAN_SCAN_CONTENTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "leaf/record_layout.h"
#include "pure/error.h"
#include "pure/scan_request.h"
#include "scan/scan_columns.h"
#include "scan/scan_conditions.h"
#include "scan/scan_expressions.h"

namespace pq {

// Good for as long as the table is not altered.
class Scan_contents final {
 public:
  // Errors: those of check_type, find_scan_column, Scan_conditions::make, Scan_expressions::make;
  // bad_argument if a column is wanted twice, or a layout does not hold an expression's values;
  // unsupported_scan if the texts of ENUM and SET columns are too long together.
  [[nodiscard]] static Result<Scan_contents> find(const Table_lease &lease,
                                                  const Scan_request &request);

  // Fails with unsupported_scan if values of a column cannot be added as the aggregation wants.
  [[nodiscard]] Result<void> check_aggregation(const Wanted_aggregation &aggregation) const;

  // Fails with `reported` unless the user may read each column.
  [[nodiscard]] Result<void> check_access(const Table_lease &lease) const;

  [[nodiscard]] const std::vector<Scan_column> &columns() const { return m_columns; }
  // The layouts of the columns, and behind them those of the expressions.
  [[nodiscard]] const std::vector<Layout> &layouts() const { return m_layouts; }
  // Which of these hold the bits of floating numbers.
  [[nodiscard]] std::vector<bool> floating() const;
  [[nodiscard]] const Scan_expressions &expressions() const { return m_expressions; }
  // What has to be true of a row that passes the conditions.
  [[nodiscard]] const Scan_expressions &where() const { return m_where; }
  // What the rows that pass are ordered by, if only the first ones are wanted.
  [[nodiscard]] const Scan_expressions &order() const { return m_order; }
  // The same, and its fields alone.
  [[nodiscard]] const Scan_expressions &order_alone() const { return m_order_alone; }
  [[nodiscard]] const std::vector<Record_layout::Column> &order_fields() const {
    return m_order_fields;
  }
  [[nodiscard]] const Scan_conditions &conditions() const { return m_conditions; }

  // The fields of the columns in the same order, then other ones.
  [[nodiscard]] const std::vector<Record_layout::Column> &fields() const { return m_fields; }

  // A row is sent with at most this many times the bytes that are stored.
  [[nodiscard]] std::size_t growth() const { return m_growth; }

  // The most bytes that texts of ENUM and SET add to a row.
  [[nodiscard]] std::size_t member_bytes() const { return m_member_bytes; }

  // Memory of these texts, and of the values that rows are compared with.
  [[nodiscard]] std::size_t value_bytes() const { return m_value_bytes; }

  // The most bytes that the values of one row may have off-page, by their types.
  [[nodiscard]] std::uint64_t off_page_bytes_of_types() const { return m_off_page_bytes_of_types; }

  // The most of these bytes that a scan reads.
  [[nodiscard]] std::size_t most_off_page_bytes() const { return m_most_off_page_bytes; }

 private:
  Scan_contents() = default;

  [[nodiscard]] Result<void> find_columns(Stored_columns &stored, const Scan_request &request);
  [[nodiscard]] Result<void> find_expressions(Stored_columns &stored, const Scan_request &request);
  [[nodiscard]] Result<void> find_order(Stored_columns &stored, const Scan_request &request);
  [[nodiscard]] Result<void> add_sizes(const std::vector<Scan_column> &columns);
  void find_sizes(const Stored_columns &stored, const Scan_request &request);

  std::vector<Scan_column> m_columns;
  Scan_expressions m_expressions;
  std::vector<Layout> m_layouts;
  Scan_conditions m_conditions;
  Scan_expressions m_where;
  Scan_expressions m_order;
  Scan_expressions m_order_alone;
  std::vector<Record_layout::Column> m_order_fields;
  std::vector<Record_layout::Column> m_fields;
  std::size_t m_growth = 1;
  std::size_t m_member_bytes = 0;
  std::size_t m_value_bytes = 0;
  std::uint64_t m_off_page_bytes_of_types = 0;
  std::size_t m_most_off_page_bytes = 0;
};

}  // namespace pq

#endif
