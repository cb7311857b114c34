#include "pure/scan_request.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "pure/arguments.h"
#include "pure/fingerprint.h"
#include "pure/utf8.h"
#include "pure/version.h"

namespace pq {

namespace {

using namespace arguments;

constexpr std::array<std::pair<std::string_view, Layout>, 6> layout_names{{
    {"int8", Layout::int8},
    {"int16", Layout::int16},
    {"int32", Layout::int32},
    {"int64", Layout::int64},
    {"int128", Layout::int128},
    {"bytes", Layout::bytes},
}};

constexpr std::array<std::pair<std::string_view, Comparison>, 6> comparison_names{{
    {"=", Comparison::equal},
    {"<>", Comparison::not_equal},
    {"<", Comparison::less},
    {"<=", Comparison::less_or_equal},
    {">", Comparison::greater},
    {">=", Comparison::greater_or_equal},
}};

bool is_object(const Json &json) { return json.kind == Json::Kind::object; }

// The member of that name; null if there is none.
const Json *member(const Json &object, std::string_view name) {
  const auto found = std::ranges::find(object.names, name);
  if (found == object.names.end()) return nullptr;
  return &object.items[static_cast<std::size_t>(found - object.names.begin())];
}

Result<Layout> read_layout(const Json &json) {
  for (const auto &[name, layout] : layout_names) {
    if (json.kind == Json::Kind::string && json.text == name) return layout;
  }
  return bad("a layout in options", "must be int8, int16, int32, int64, int128 or bytes, not '" +
                                        printable(json.text) + "'");
}

Result<std::string> read_column_name(std::string_view option, const Json &json) {
  if (json.kind != Json::Kind::string) return bad(option, "must name columns by strings");
  return check_identifier("column", json.text);
}

Result<Wanted_column> read_column(const Json &json) {
  if (json.kind != Json::Kind::array || json.items.size() != 2) {
    return bad("options.columns", "must hold pairs of a name and a layout");
  }
  Wanted_column column;
  auto read = assign(column.name, read_column_name("options.columns", json.items[0]));
  if (read) read = assign(column.layout, read_layout(json.items[1]));
  if (!read) return std::unexpected(read.error());
  return column;
}

Result<void> read_columns(Scan_request &request, const Json &json) {
  if (json.kind != Json::Kind::array || json.items.size() > max_scan_columns) {
    return bad("options.columns", "must be an array of at most 1024");
  }
  for (const Json &item : json.items) {
    auto column = read_column(item);
    if (!column) return std::unexpected(column.error());
    request.columns.push_back(std::move(*column));
  }
  return {};
}

Result<void> read_expressions(Scan_request &request, const Json &json, std::size_t &nodes) {
  constexpr std::string_view name = "options.expressions";
  if (json.kind != Json::Kind::array || json.items.size() > max_expressions) {
    return bad(name, "must be an array of at most 256");
  }
  for (const Json &item : json.items) {
    if (item.kind != Json::Kind::array || item.items.size() != 2) {
      return bad(name, "must hold pairs of an expression and a layout");
    }
    auto expression = read_expression(item.items[0], nodes);
    if (!expression) return std::unexpected(expression.error());
    const auto layout = read_layout(item.items[1]);
    if (!layout) return std::unexpected(layout.error());
    request.expressions.push_back({std::move(*expression), *layout});
  }
  return {};
}

Result<void> read_where(Scan_request &request, const Json &json, std::size_t &nodes) {
  if (json.kind != Json::Kind::array || json.items.size() > max_expressions) {
    return bad("options.where", "must be an array of at most 256");
  }
  for (const Json &item : json.items) {
    auto expression = read_expression(item, nodes);
    if (!expression) return std::unexpected(expression.error());
    request.where.push_back(std::move(*expression));
  }
  return {};
}

Result<void> read_types(Scan_request &request, const Json &json) {
  if (!is_object(json) || json.items.size() > max_scan_columns) {
    return bad("options.types", "must be an object of at most 1024 members");
  }
  for (std::size_t i = 0; i < json.items.size(); ++i) {
    if (json.items[i].kind != Json::Kind::string) {
      return bad("options.types", "must hold the types of columns as strings");
    }
    auto column = check_identifier("column", json.names[i]);
    if (!column) return std::unexpected(column.error());
    request.types.push_back({std::move(*column), json.items[i].text});
  }
  return {};
}

Result<bool> read_boolean(std::string_view name, const Json &json) {
  if (json.kind != Json::Kind::boolean) return bad(name, "must be true or false");
  return json.boolean;
}

Result<Wanted_interval> read_interval(const Json &json) {
  constexpr std::string_view name = "an interval in options.filters";
  if (json.kind != Json::Kind::array || json.items.size() != 4) {
    return bad(name, "must be [low, low inclusive, high, high inclusive]");
  }
  Wanted_interval interval;
  auto read = assign(interval.low, read_value(name, json.items[0]));
  if (read) read = assign(interval.low_inclusive, read_boolean(name, json.items[1]));
  if (read) read = assign(interval.high, read_value(name, json.items[2]));
  if (read) read = assign(interval.high_inclusive, read_boolean(name, json.items[3]));
  if (!read) return std::unexpected(read.error());
  return interval;
}

Result<std::vector<Wanted_interval>> read_intervals(const Json &json) {
  if (json.kind != Json::Kind::array || json.items.size() > max_filter_intervals) {
    return bad("options.filters", "must hold intervals, an array of at most 4096");
  }
  std::vector<Wanted_interval> intervals;
  for (const Json &item : json.items) {
    auto interval = read_interval(item);
    if (!interval) return std::unexpected(interval.error());
    intervals.push_back(std::move(*interval));
  }
  return intervals;
}

Result<Wanted_filter> read_filter(const Json &json) {
  const Json *intervals = member(json, "intervals");
  const Json *nulls = member(json, "nulls");
  if (intervals == nullptr || nulls == nullptr || json.items.size() != 3) {
    return bad("a filter in options.filters", "must have column, intervals and nulls");
  }
  Wanted_filter filter;
  auto read = assign(filter.column, read_column_name("options.filters", *member(json, "column")));
  if (read) read = assign(filter.intervals, read_intervals(*intervals));
  if (read) read = assign(filter.null_passes, read_boolean("options.filters.nulls", *nulls));
  if (!read) return std::unexpected(read.error());
  return filter;
}

Result<Comparison> read_operator(const Json &json) {
  for (const auto &[name, comparison] : comparison_names) {
    if (json.kind == Json::Kind::string && json.text == name) return comparison;
  }
  return bad("a comparison in options.filters",
             "must be =, <>, <, <=, > or >=, not '" + printable(json.text) + "'");
}

Result<Wanted_comparison> read_comparison(const Json &json) {
  const Json *comparison = member(json, "comparison");
  const Json *right = member(json, "right");
  if (comparison == nullptr || right == nullptr || json.items.size() != 3) {
    return bad("a comparison in options.filters", "must have left, comparison and right");
  }
  Wanted_comparison wanted;
  auto read = assign(wanted.left, read_column_name("options.filters", *member(json, "left")));
  if (read) read = assign(wanted.comparison, read_operator(*comparison));
  if (read) read = assign(wanted.right, read_column_name("options.filters", *right));
  if (!read) return std::unexpected(read.error());
  return wanted;
}

Result<Wanted_conditions> read_conditions(const Json &json);

Result<Wanted_choice> read_choice(const Json &json) {
  const Json &any = *member(json, "any");
  if (any.kind != Json::Kind::array || any.items.size() > max_scan_conditions ||
      json.items.size() != 1) {
    return bad("a choice in options.filters", "must have any, an array of at most 64, and no more");
  }
  Wanted_choice choice;
  for (const Json &item : any.items) {
    auto alternative = read_conditions(item);
    if (!alternative) return std::unexpected(alternative.error());
    choice.alternatives.push_back(std::move(*alternative));
  }
  return choice;
}

template <class Condition>
Result<void> append(std::vector<Condition> &conditions, Result<Condition> condition) {
  if (!condition) return std::unexpected(condition.error());
  conditions.push_back(std::move(*condition));
  return {};
}

Result<void> read_condition(Wanted_conditions &conditions, const Json &json) {
  if (is_object(json) && member(json, "column") != nullptr) {
    return append(conditions.filters, read_filter(json));
  }
  if (is_object(json) && member(json, "left") != nullptr) {
    return append(conditions.comparisons, read_comparison(json));
  }
  if (is_object(json) && member(json, "any") != nullptr) {
    return append(conditions.choices, read_choice(json));
  }
  return bad("options.filters", "must hold objects with column, left or any");
}

// Conditions are nested at most as deep as JSON may be.
Result<Wanted_conditions> read_conditions(const Json &json) {
  if (json.kind != Json::Kind::array || json.items.size() > max_scan_conditions) {
    return bad("options.filters", "must hold arrays of at most 64");
  }
  Wanted_conditions conditions;
  for (const Json &item : json.items) {
    if (auto read = read_condition(conditions, item); !read) return std::unexpected(read.error());
  }
  return conditions;
}

std::size_t count(const Wanted_conditions &conditions) {
  std::size_t all =
      conditions.filters.size() + conditions.comparisons.size() + conditions.choices.size();
  for (const Wanted_choice &choice : conditions.choices) {
    for (const Wanted_conditions &alternative : choice.alternatives) all += count(alternative);
  }
  return all;
}

Result<void> read_filters(Scan_request &request, const Json &json) {
  if (auto read = assign(request.conditions, read_conditions(json)); !read) return read;
  if (count(request.conditions) <= max_scan_conditions_in_all) return {};
  return bad("options.filters", "must hold at most 256 conditions in all");
}

// The place of a column. Whether there is one is checked when all options are read.
Result<std::uint32_t> read_place(const Json &json) {
  std::uint32_t place = 0;
  auto read = read_number(place, "a column in options.aggregate", json, 0,
                          max_scan_columns + max_expressions - 1);
  if (!read) return std::unexpected(read.error());
  return place;
}

Result<Wanted_function> read_function(const Json &json) {
  constexpr std::array<std::pair<std::string_view, Aggregate>, 4> names{{
      {"count", Aggregate::count},
      {"sum", Aggregate::sum},
      {"min", Aggregate::min},
      {"max", Aggregate::max},
  }};
  constexpr std::string_view name = "a function in options.aggregate";
  if (json.kind != Json::Kind::array || json.items.empty() || json.items.size() > 3) {
    return bad(name, "must be an array of its name and one or two places of columns");
  }
  const Json &called = json.items.front();
  const auto *found = std::ranges::find(names, called.text, &decltype(names)::value_type::first);
  if (called.kind != Json::Kind::string || found == names.end()) {
    return bad(name, "must be count, sum, min or max, not '" + printable(called.text) + "'");
  }
  Wanted_function function{found->second, {}};
  if (json.items.size() == 1) {
    if (function.function == Aggregate::count) return function;
    return bad(name, "must have a column unless it is count");
  }
  auto read = assign(function.column, read_place(json.items[1]));
  if (read && json.items.size() > 2) {
    if (function.function != Aggregate::min && function.function != Aggregate::max) {
      return bad(name, "must have one place: only min and max have two");
    }
    read = assign(function.beside, read_place(json.items[2]));
  }
  if (!read) return std::unexpected(read.error());
  return function;
}

Result<void> read_groups(Wanted_aggregation &aggregation, const Json &json) {
  if (json.kind != Json::Kind::array || json.items.size() > max_group_columns) {
    return bad("options.aggregate.groups", "must be an array of at most 64 places of columns");
  }
  for (const Json &item : json.items) {
    const auto place = read_place(item);
    if (!place) return std::unexpected(place.error());
    aggregation.groups.push_back(*place);
  }
  return {};
}

Result<void> read_functions(Wanted_aggregation &aggregation, const Json &json) {
  if (json.kind != Json::Kind::array || json.items.size() > max_functions) {
    return bad("options.aggregate.functions", "must be an array of at most 256");
  }
  for (const Json &item : json.items) {
    const auto function = read_function(item);
    if (!function) return std::unexpected(function.error());
    aggregation.functions.push_back(*function);
  }
  return {};
}

Result<Wanted_aggregation> read_aggregation(const Json &json) {
  if (!is_object(json) || member(json, "groups") == nullptr ||
      member(json, "functions") == nullptr) {
    return bad("options.aggregate", "must be an object with groups and functions");
  }
  Wanted_aggregation aggregation;
  for (std::size_t i = 0; i < json.names.size(); ++i) {
    Result<void> read;
    if (json.names[i] == "groups") {
      read = read_groups(aggregation, json.items[i]);
    } else if (json.names[i] == "functions") {
      read = read_functions(aggregation, json.items[i]);
    } else {
      read = bad("options.aggregate", "has no member '" + printable(json.names[i]) + "'");
    }
    if (!read) return std::unexpected(read.error());
  }
  return aggregation;
}

// Numbers are added; what is compared, and groups, may be of any values.
Result<void> check_aggregation(const Scan_request &request) {
  std::vector<Layout> layouts;
  for (const Wanted_column &column : request.columns) layouts.push_back(column.layout);
  for (const Wanted_result &result : request.expressions) layouts.push_back(result.layout);
  constexpr std::string_view places = "places in options.columns or behind them in expressions";
  for (const std::uint32_t place : request.aggregation->groups) {
    if (place >= layouts.size()) {
      return bad("options.aggregate.groups", "must be " + std::string(places));
    }
  }
  for (const auto &[function, column, beside] : request.aggregation->functions) {
    if (!column) continue;
    if (std::max(*column, beside.value_or(0)) >= layouts.size()) {
      return bad("options.aggregate.functions", "must be of " + std::string(places));
    }
    if (function == Aggregate::sum && layouts[*column] == Layout::bytes) {
      return bad("options.aggregate.functions", "must not add bytes");
    }
  }
  return {};
}

// One of two words.
Result<bool> read_choice_of(const Json &json, std::string_view yes, std::string_view no) {
  if (json.kind == Json::Kind::string && (json.text == yes || json.text == no)) {
    return json.text == yes;
  }
  return bad("options.first.order", "must say " + std::string(yes) + " or " + std::string(no) +
                                        ", not '" + printable(json.text) + "'");
}

Result<Wanted_order> read_order(const Json &json, std::size_t &nodes) {
  if (json.kind != Json::Kind::array || json.items.size() != 3) {
    return bad("options.first.order",
               "must hold arrays of an expression, its direction and where NULL comes");
  }
  auto expression = read_expression(json.items[0], nodes);
  if (!expression) return std::unexpected(expression.error());
  Wanted_order order{std::move(*expression), false, false};
  auto read = assign(order.descending, read_choice_of(json.items[1], "descending", "ascending"));
  if (read) {
    read = assign(order.nulls_first, read_choice_of(json.items[2], "nulls_first", "nulls_last"));
  }
  if (!read) return std::unexpected(read.error());
  return order;
}

Result<Wanted_first> read_first(const Json &json, std::size_t &nodes) {
  const Json *rows = is_object(json) ? member(json, "rows") : nullptr;
  const Json *order = is_object(json) ? member(json, "order") : nullptr;
  if (rows == nullptr || order == nullptr || json.items.size() != 2) {
    return bad("options.first", "must be an object with rows and order");
  }
  Wanted_first first{};
  if (auto read = read_number(first.rows, "options.first.rows", *rows, 1, max_first_rows); !read) {
    return std::unexpected(read.error());
  }
  if (order->kind != Json::Kind::array || order->items.empty() ||
      order->items.size() > max_order_columns) {
    return bad("options.first.order", "must be an array of 1 to 16");
  }
  for (const Json &item : order->items) {
    auto one = read_order(item, nodes);
    if (!one) return std::unexpected(one.error());
    first.order.push_back(std::move(*one));
  }
  return first;
}

Result<void> read_compression(Scan_request &request, const Json &json) {
  if (json.kind == Json::Kind::string && json.text == "narrow") {
    request.form = Batch_form::narrow;
  } else if (json.kind == Json::Kind::string && json.text == "zstd") {
    request.form = Batch_form::compressed;
  } else {
    return bad("options.compression", "must be narrow or zstd");
  }
  return {};
}

// `nodes` counts the operators of all expressions.
Result<void> read_option(Scan_request &request, const std::string &name, const Json &json,
                         std::size_t &nodes) {
  if (name == "columns" || name == "filters") return read_scanned_rows(request, name, json);
  if (name == "types") return read_types(request, json);
  if (name == "aggregate" && knows_additions) {
    return assign(request.aggregation, read_aggregation(json));
  }
  if (name == "expressions" && knows_additions) return read_expressions(request, json, nodes);
  if (name == "where" && knows_additions) return read_where(request, json, nodes);
  if (name == "first" && knows_additions) return assign(request.first, read_first(json, nodes));
  if (name == "compression" && knows_additions) return read_compression(request, json);
  if (name == "partition") return assign(request.target.partition, read_partition(json));
  if (name == "lower") return assign(request.lower, read_bound("options.lower", json));
  if (name == "upper") return assign(request.upper, read_bound("options.upper", json));
  if (name == "after") return assign(request.after, read_bound("options.after", json));
  if (name == "rows")
    return read_number(request.batch_rows, "options.rows", json, 1, max_batch_rows);
  if (name == "bytes") {
    return read_number(request.batch_bytes, "options.bytes", json, min_batch_bytes,
                       max_batch_bytes);
  }
  return unknown_option(name);
}

Result<void> read_scan_options(Scan_request &request, const Json &options) {
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < options.names.size(); ++i) {
    auto read = read_option(request, options.names[i], options.items[i], nodes);
    if (!read) return read;
  }
  if (member(options, "columns") == nullptr) return bad("options.columns", "must be given");
  if (!request.lower.empty() && !request.after.empty()) {
    return bad("options.after", "must not be given beside options.lower");
  }
  if (request.aggregation && request.first) {
    return bad("options.first", "must not be given beside options.aggregate");
  }
  return request.aggregation ? check_aggregation(request) : Result<void>();
}

Result<void> read_validator_argument(Scan_request &request, const Argument &argument) {
  auto read = assign(request.validation, read_validation(argument));
  if (!read || !request.validation || request.validation->after.empty()) return read;
  if (!request.after.empty()) {
    return bad("validator.after", "must not be given beside options.after");
  }
  request.after = std::move(request.validation->after);
  return {};
}

void add_json(Fingerprint &fingerprint, const Json &json) {
  fingerprint.add(static_cast<std::uint8_t>(json.kind));
  fingerprint.add(static_cast<std::uint8_t>(json.boolean));
  fingerprint.add(std::string_view(json.text));
  fingerprint.add(json.items.size());
  for (const Json &item : json.items) add_json(fingerprint, item);
  for (const std::string &name : json.names) fingerprint.add(std::string_view(name));
}

// Covers all that decides which rows come and what is in them.
// How they travel (compression) decides neither.
std::string digest_of(const Target &target, const Json &options) {
  Fingerprint fingerprint;
  for (const std::string *name : {&target.schema, &target.table, &target.index}) {
    fingerprint.add(std::string_view(*name));
  }
  for (std::size_t i = 0; i < options.names.size(); ++i) {
    if (options.names[i] == "compression") continue;
    fingerprint.add(std::string_view(options.names[i]));
    add_json(fingerprint, options.items[i]);
  }
  return fingerprint.text();
}

}  // namespace

Result<void> read_scanned_rows(Scan_request &request, std::string_view name, const Json &json) {
  return name == "columns" ? read_columns(request, json) : read_filters(request, json);
}

Result<Scan_request> read_scan_request(const Argument &schema, const Argument &table,
                                       const Argument &index, const Argument &token,
                                       const Argument &options, const Argument &validator) {
  Scan_request request;
  auto read = read_index(request.target, schema, table, index);
  if (read) read = assign(request.token, read_token_argument(token));
  if (!read) return std::unexpected(std::move(read.error()));
  const auto json = read_options(options, max_scan_options_bytes);
  if (!json) return std::unexpected(json.error());
  read = read_scan_options(request, *json);
  if (read) read = read_validator_argument(request, validator);
  if (!read) return std::unexpected(std::move(read.error()));
  if (request.validation) request.digest = digest_of(request.target, *json);
  return request;
}

}  // namespace pq
