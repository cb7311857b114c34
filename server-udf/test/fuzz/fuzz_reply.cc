// Writes replies about arbitrary names and keys, and reads them back.

#include <algorithm>

#include "pure/json_reader.h"
#include "pure/reply.h"
#include "pure/utf8.h"
#include "support/checks.h"
#include "support/key_columns.h"

namespace pq::fuzz {
namespace {

// Names of the dictionary are UTF-8, whatever else.
std::string read_name(Input &input) {
  const std::string_view name = input.bytes(input.byte() % 70U);
  return utf8_length(name) ? std::string(name) : printable(name);
}

Range_reply read_reply(Input &input) {
  Range_reply reply;
  reply.target = {read_name(input), read_name(input), read_name(input), {}};
  if (input.byte() % 2 != 0) reply.target.partition = read_name(input);
  reply.definition = read_name(input);
  for (unsigned columns = 1 + input.byte() % 3U; columns > 0; --columns) {
    Key_column column = read_column(input);
    column.name = read_name(input);
    reply.columns.push_back(std::move(column));
  }
  while (!input.empty() && reply.boundaries.size() < 20) {
    Boundary boundary;
    for (const Key_column &column : reply.columns) {
      const auto written = decode_key(column, input.bytes(column.max_bytes));
      if (written) boundary.emplace_back(*written);
      if (!written) boundary.emplace_back();
    }
    reply.boundaries.push_back(std::move(boundary));
  }
  return reply;
}

const Json &member(const Json &object, std::string_view name) {
  const auto found = std::ranges::find(object.names, name);
  check(found != object.names.end());
  return object.items[static_cast<std::size_t>(found - object.names.begin())];
}

void check_reply(const Range_reply &reply, std::string_view text) {
  const auto json = read_json(text, text.size());
  check(json.has_value());
  check(member(*json, "table").text == reply.target.table);
  check(member(*json, "index").text == reply.target.index);
  const Json &boundaries = member(*json, "boundaries");
  check(boundaries.items.size() == reply.boundaries.size());
  for (std::size_t i = 0; i < reply.boundaries.size(); ++i) {
    for (std::size_t part = 0; part < reply.columns.size(); ++part) {
      const Json &value = boundaries.items[i].items[part];
      const auto &written = reply.boundaries[i][part];
      check(written ? value.text == *written : value.kind == Json::Kind::null);
    }
  }
}

}  // namespace
}  // namespace pq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
  using namespace pq::fuzz;
  Input input(data, size);
  const std::size_t most = std::size_t{input.byte()} * 64;
  const pq::Range_reply reply = read_reply(input);
  const auto bounded = pq::write_range_reply(reply, most);
  check(!bounded || bounded->size() <= most);
  const auto whole = pq::write_range_reply(reply, 1 << 20);
  check(whole.has_value());
  check_reply(reply, *whole);
  check(!bounded || *bounded == *whole);
  return 0;
}
