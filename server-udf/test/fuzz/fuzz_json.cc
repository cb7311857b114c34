// Feeds arbitrary bytes to the reader of options, and what it understood to itself once more.

#include <algorithm>
#include "pure/bounded_text.h"

#include "pure/json_reader.h"
#include "pure/utf8.h"
#include "support/checks.h"

namespace pq::fuzz {
namespace {

void write(Bounded_text &out, const Json &json);

void write_items(Bounded_text &out, const Json &json, char open, char close) {
  out << std::string_view(&open, 1);
  for (std::size_t i = 0; i < json.items.size(); ++i) {
    if (i > 0) out << ",";
    if (json.kind == Json::Kind::object) {
      write_json_string(out, json.names[i]);
      out << ":";
    }
    write(out, json.items[i]);
  }
  out << std::string_view(&close, 1);
}

void write(Bounded_text &out, const Json &json) {
  switch (json.kind) {
    case Json::Kind::null:
      out << "null";
      return;
    case Json::Kind::boolean:
      out << json.boolean;
      return;
    case Json::Kind::number:
      out << std::string_view(json.text);
      return;
    case Json::Kind::string:
      check(utf8_length(json.text).has_value());
      write_json_string(out, json.text);
      return;
    case Json::Kind::array:
      write_items(out, json, '[', ']');
      return;
    case Json::Kind::object:
      check(json.names.size() == json.items.size());
      write_items(out, json, '{', '}');
      return;
  }
}

bool same(const Json &left, const Json &right) {
  if (left.kind != right.kind || left.boolean != right.boolean || left.text != right.text ||
      left.names != right.names || left.items.size() != right.items.size()) {
    return false;
  }
  for (std::size_t i = 0; i < left.items.size(); ++i) {
    if (!same(left.items[i], right.items[i])) return false;
  }
  return true;
}

unsigned depth(const Json &json) {
  unsigned deepest = 0;
  for (const Json &item : json.items) deepest = std::max(deepest, depth(item));
  return deepest + 1;
}

}  // namespace
}  // namespace pq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
  using namespace pq::fuzz;
  const auto json = pq::read_json(std::string_view(reinterpret_cast<const char *>(data), size));
  if (!json) return 0;
  check(size <= pq::max_json_bytes && depth(*json) <= pq::max_json_depth + 1);
  // Control characters become longer, at most sixfold.
  constexpr std::size_t enough = 8 * pq::max_json_bytes;
  pq::Bounded_text text(enough);
  write(text, *json);
  check(!text.overflowed());
  const auto again = pq::read_json(std::move(text).take(), enough);
  check(again.has_value() && same(*json, *again));
  return 0;
}
