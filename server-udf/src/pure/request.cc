#include "pure/request.h"

#include <algorithm>

#include "pure/arguments.h"
#include "pure/scan_request.h"
#include "pure/utf8.h"
#include "pure/version.h"

namespace pq {

namespace {

using namespace arguments;

Result<std::int64_t> read_count(const Argument &argument) {
  if (std::holds_alternative<std::monostate>(argument)) return bad("count", "must not be NULL");
  const auto count = as_integer(argument);
  if (!count) return bad("count", "must be an integer from 1 to 2147483647");
  if (*count < 1 || *count > max_count) {
    return bad("count " + std::to_string(*count), "must be 1 to 2147483647");
  }
  return *count;
}

Result<void> read_leaf(Range_request &request, const Json &json) {
  if (json.kind != Json::Kind::boolean) return bad("options.leaf", "must be true or false");
  request.leaf = json.boolean;
  return {};
}

Result<void> read_off_page(Range_request &request, const Json &json) {
  constexpr std::string_view name = "options.off_page";
  if (json.kind != Json::Kind::array || json.items.empty() ||
      json.items.size() > max_scan_columns) {
    return bad(name, "must be an array of 1 to 1024 names of columns");
  }
  for (const Json &item : json.items) {
    if (item.kind != Json::Kind::string) return bad(name, "must hold strings");
    auto column = check_identifier(name, item.text);
    if (!column) return std::unexpected(column.error());
    request.off_page.push_back(std::move(*column));
  }
  return {};
}

Result<void> read_scan(Range_request &request, const std::string &name, const Json &json) {
  if (request.scan == nullptr) request.scan = std::make_shared<Scan_request>();
  return read_scanned_rows(*request.scan, name, json);
}

Result<void> read_option(Range_request &request, const std::string &name, const Json &json) {
  if (name == "partition") return assign(request.target.partition, read_partition(json));
  if (name == "lower") return assign(request.lower, read_bound("options.lower", json));
  if (name == "upper") return assign(request.upper, read_bound("options.upper", json));
  if (name == "leaf") return read_leaf(request, json);
  if (!knows_additions) return unknown_option(name);
  if (name == "off_page") return read_off_page(request, json);
  if (name == "columns" || name == "filters") return read_scan(request, name, json);
  return unknown_option(name);
}

Result<void> read_range_options(Range_request &request, const Argument &argument) {
  const auto options = read_options(argument, max_scan_options_bytes);
  if (!options) return std::unexpected(options.error());
  for (std::size_t i = 0; i < options->names.size(); ++i) {
    auto read = read_option(request, options->names[i], options->items[i]);
    if (!read) return read;
  }
  if (request.scan != nullptr &&
      std::ranges::find(options->names, "columns") == options->names.end()) {
    return bad("options.filters", "must not be given without options.columns");
  }
  return {};
}

}  // namespace

Result<Range_request> read_range_request(const Argument &schema, const Argument &table,
                                         const Argument &index, const Argument &count,
                                         const Argument &options, std::uint32_t max_ranges) {
  Range_request request;
  auto read = read_index(request.target, schema, table, index);
  if (read) read = assign(request.count_requested, read_count(count));
  if (read) read = read_range_options(request, options);
  if (!read) return std::unexpected(std::move(read.error()));
  const auto limit = static_cast<std::int64_t>(max_ranges);
  request.count = static_cast<std::uint32_t>(std::min(request.count_requested, limit));
  return request;
}

Result<Target> read_target(const Argument &schema, const Argument &table, const Argument &index,
                           const Argument &partition) {
  Target target;
  auto read = read_index(target, schema, table, index);
  if (read && !std::holds_alternative<std::monostate>(partition)) {
    read = assign(target.partition, read_identifier("partition", partition));
  }
  if (!read) return std::unexpected(std::move(read.error()));
  return target;
}

Result<Target> read_table(const Argument &schema, const Argument &table) {
  Target target;
  if (auto read = read_names(target, schema, table); !read) {
    return std::unexpected(std::move(read.error()));
  }
  return target;
}

}  // namespace pq
