// What a caller wants scanned, checked against the rules of docs/protocol.md.

#ifndef MYSQL_PQ_PURE_SCAN_REQUEST_H
#define MYSQL_PQ_PURE_SCAN_REQUEST_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pure/cell_comparison.h"
#include "pure/column_batch.h"
#include "pure/error.h"
#include "pure/expression.h"
#include "pure/json_reader.h"
#include "pure/request.h"
#include "pure/snapshot_token.h"
#include "pure/validation.h"

namespace pq {

struct Wanted_column {
  std::string name;
  Layout layout;
};

// Values between two ends; nothing where there is no end.
struct Wanted_interval {
  std::optional<std::string> low;
  bool low_inclusive = true;
  std::optional<std::string> high;
  bool high_inclusive = true;
};

// A row passes if its value is in one of the intervals, or NULL and that is wanted.
struct Wanted_filter {
  std::string column;
  std::vector<Wanted_interval> intervals;
  bool null_passes = false;
};

// A row passes if neither value is NULL, and they compare so.
struct Wanted_comparison {
  std::string left;
  Comparison comparison;
  std::string right;
};

// An expression whose values are given as a column.
struct Wanted_result {
  Wanted_expression expression;
  Layout layout;
};

// What the caller takes a column for: its values would mean something else to the caller if it were
// of another type.
struct Wanted_type {
  std::string column;
  std::string type;
};

struct Wanted_choice;

// A row passes if it passes all.
struct Wanted_conditions {
  std::vector<Wanted_filter> filters;
  std::vector<Wanted_comparison> comparisons;
  std::vector<Wanted_choice> choices;
};

// A row passes if it passes one of the alternatives.
struct Wanted_choice {
  std::vector<Wanted_conditions> alternatives;
};

enum class Aggregate : std::uint8_t { count, sum, min, max };

// What is computed of each group's rows, from a column of theirs. count without a column counts
// rows; with one, as the others do, values that are not NULL.
struct Wanted_function {
  Aggregate function;
  std::optional<std::uint32_t> column;
  // A column whose value in the first row that has the extreme is given too. Only min and max
  // have one.
  std::optional<std::uint32_t> beside = std::nullopt;
};

// Groups instead of rows. Columns are given by their places among those that rows would have: the
// scan's columns, and behind them its expressions.
struct Wanted_aggregation {
  std::vector<std::uint32_t> groups;
  std::vector<Wanted_function> functions;
};

// What rows are ordered by.
struct Wanted_order {
  Wanted_expression expression;
  bool descending;
  bool nulls_first;
};

// Only rows that can be among so many first ones in the order.
struct Wanted_first {
  std::uint32_t rows;
  std::vector<Wanted_order> order;
};

struct Scan_request {
  Target target;
  Snapshot_token token{};
  std::vector<Wanted_column> columns;
  std::vector<Wanted_result> expressions;
  std::vector<Wanted_expression> where;  // a row passes if all are true
  std::vector<Wanted_type> types;
  std::optional<Wanted_aggregation> aggregation;
  std::optional<Wanted_first> first;
  Wanted_conditions conditions;
  std::vector<Written_value> lower;  // empty: no bound
  std::vector<Written_value> upper;
  std::vector<Written_value>
      after;  // the key of a row: those up to it were read before; instead of lower
  std::uint32_t batch_rows = 8192;
  std::uint32_t batch_bytes = 1024 * 1024;
  Batch_form form = Batch_form::wide;
  std::optional<Validation> validation;  // nothing if no validator is wanted
  std::string digest;  // of the whole request but token, validation and compression, if wanted
};

constexpr std::size_t max_scan_columns = 1024;
constexpr std::size_t max_scan_conditions = 64;  // beside each other
constexpr std::size_t max_scan_conditions_in_all = 256;
constexpr std::size_t max_filter_intervals = 4096;
constexpr std::size_t max_expressions = 256;
constexpr std::size_t max_group_columns = 64;
constexpr std::size_t max_functions = 256;
constexpr std::size_t max_order_columns = 16;
constexpr std::uint32_t max_first_rows = 65536;
constexpr std::uint32_t max_batch_rows = 65536;
constexpr std::uint32_t min_batch_bytes = 64 * 1024;
constexpr std::uint32_t max_batch_bytes = 64 * 1024 * 1024;
// A thousand columns and some thousand intervals fit.
constexpr std::size_t max_scan_options_bytes = 256 * 1024;

// The option `columns` or `filters`.
[[nodiscard]] Result<void> read_scanned_rows(Scan_request &request, std::string_view name,
                                             const Json &json);

// Arguments schema, table, index, token, options and validator: see read_validation().
[[nodiscard]] Result<Scan_request> read_scan_request(const Argument &schema, const Argument &table,
                                                     const Argument &index, const Argument &token,
                                                     const Argument &options,
                                                     const Argument &validator = {});

}  // namespace pq

#endif
