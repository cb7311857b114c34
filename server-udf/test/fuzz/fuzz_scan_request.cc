// Feeds arbitrary bytes to the reading of a scan's arguments and of those of a readahead.

#include "pure/json_reader.h"
#include "pure/program.h"
#include "pure/readahead_request.h"
#include "pure/reply.h"
#include "pure/scan_request.h"
#include "support/checks.h"

namespace pq::fuzz {
namespace {

// Returns how many conditions there are.
std::size_t check_conditions(const Wanted_conditions &conditions, unsigned depth) {
  check(depth <= max_json_depth);
  std::size_t all =
      conditions.filters.size() + conditions.comparisons.size() + conditions.choices.size();
  check(all <= max_scan_conditions);
  for (const Wanted_filter &filter : conditions.filters) {
    check(!filter.column.empty() && filter.intervals.size() <= max_filter_intervals);
  }
  for (const Wanted_comparison &comparison : conditions.comparisons) {
    check(!comparison.left.empty() && !comparison.right.empty());
  }
  for (const Wanted_choice &choice : conditions.choices) {
    for (const auto &alternative : choice.alternatives) {
      all += check_conditions(alternative, depth + 1);
    }
  }
  return all;
}

// A cursor is read as the key that was written.
void check_cursor(const std::vector<Written_value> &key) {
  if (key.empty()) return;
  check(key.size() <= max_key_parts);
  const std::string cursor = write_cursor(key);
  const auto read = read_json(cursor, max_scan_options_bytes);
  check(read.has_value() && read->items.size() == key.size());
  for (std::size_t i = 0; i < key.size(); ++i) {
    check(key[i] ? read->items[i].text == *key[i] : read->items[i].kind == Json::Kind::null);
  }
}

// Returns how many operators there are.
std::size_t check_expression(const Wanted_expression &expression) {
  std::size_t all = 1;
  for (const Wanted_expression &operand : expression.operands) all += check_expression(operand);
  return all;
}

// What was read is compiled or refused, whatever the columns are.
void check_expressions(const Scan_request &request) {
  std::size_t all = 0;
  std::vector<Wanted_expression> expressions = request.where;
  for (const Wanted_result &result : request.expressions) expressions.push_back(result.expression);
  for (const Wanted_expression &expression : expressions) all += check_expression(expression);
  check(all <= max_expression_nodes);
  const auto program =
      Program::compile(expressions, [](const std::string &name) -> Result<Program::Input> {
        if (name.size() % 2 == 0) return Program::Input{Program::Kind::text, Layout::bytes, {}};
        return Program::Input{Program::Kind::integer, Layout::int128, {}};
      });
  if (program) check(program->size() == expressions.size());
}

void check_aggregation(const Scan_request &request, const Wanted_aggregation &aggregation) {
  const std::size_t columns = request.columns.size() + request.expressions.size();
  check(aggregation.groups.size() <= max_group_columns);
  check(aggregation.functions.size() <= max_functions);
  for (const std::uint32_t place : aggregation.groups) check(place < columns);
  for (const auto &[function, place, beside] : aggregation.functions) {
    check(place || function == Aggregate::count);
    check(!beside || function == Aggregate::min || function == Aggregate::max);
    check(!beside || *beside < columns);
    if (!place) continue;
    check(*place < columns);
    const Layout layout = *place < request.columns.size()
                              ? request.columns[*place].layout
                              : request.expressions[*place - request.columns.size()].layout;
    check(function != Aggregate::sum || layout != Layout::bytes);
  }
}

void check_scan(const Scan_request &request) {
  check(request.columns.size() <= max_scan_columns);
  for (const Wanted_column &column : request.columns) {
    check(!column.name.empty() && !column.name.contains('\0') && width_of(column.layout) > 0);
  }
  check(check_conditions(request.conditions, 0) <= max_scan_conditions_in_all);
  check(request.batch_rows >= 1 && request.batch_rows <= max_batch_rows);
  check(request.batch_bytes >= min_batch_bytes && request.batch_bytes <= max_batch_bytes);
  check(request.lower.empty() || request.after.empty());
  check_cursor(request.after);
  check_cursor(request.lower);
  check_cursor(request.upper);
  check_expressions(request);
  if (request.aggregation) check_aggregation(request, *request.aggregation);
}

}  // namespace
}  // namespace pq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
  const std::string_view options(reinterpret_cast<const char *>(data), size);
  const std::string_view name = "t";
  const auto scan = pq::read_scan_request(
      name, name, name, std::string_view("0123456789abcdef0123456789abcdef"), options);
  if (scan) pq::fuzz::check_scan(*scan);
  const auto token = pq::read_token(options);
  if (token) pq::fuzz::check(pq::write_token(*token) == options);
  const auto validator = pq::read_validator(options);
  if (validator) pq::fuzz::check(pq::write_validator(*validator) == options);
  const auto readahead = pq::read_readahead_request(name, name, name, options);
  if (readahead)
    pq::fuzz::check(readahead->pages >= 1 && readahead->pages <= pq::max_readahead_pages);
  return 0;
}
