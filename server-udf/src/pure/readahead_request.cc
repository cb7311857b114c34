#include "pure/readahead_request.h"

#include "pure/arguments.h"

namespace pq {

namespace {

using namespace arguments;

Result<void> read_option(Readahead_request &request, const std::string &name, const Json &json) {
  if (name == "partition") return assign(request.target.partition, read_partition(json));
  if (name == "lower") return assign(request.lower, read_bound("options.lower", json));
  if (name == "upper") return assign(request.upper, read_bound("options.upper", json));
  if (name == "pages") {
    return read_number(request.pages, "options.pages", json, 1, max_readahead_pages);
  }
  return unknown_option(name);
}

}  // namespace

Result<Readahead_request> read_readahead_request(const Argument &schema, const Argument &table,
                                                 const Argument &index, const Argument &options) {
  Readahead_request request;
  auto read = read_index(request.target, schema, table, index);
  if (!read) return std::unexpected(std::move(read.error()));
  const auto members = read_options(options, max_json_bytes);
  if (!members) return std::unexpected(members.error());
  for (std::size_t i = 0; i < members->names.size(); ++i) {
    read = read_option(request, members->names[i], members->items[i]);
    if (!read) return std::unexpected(std::move(read.error()));
  }
  return request;
}

}  // namespace pq
