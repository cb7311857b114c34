// Feeds arbitrary bytes to the reading of arguments and to the codecs behind bounds.

#include "pure/key_codec.h"
#include "pure/request.h"
#include "support/checks.h"

namespace {

using pq::fuzz::check;

struct Shape {
  pq::Key_kind kind;
  std::uint32_t bytes;
};

constexpr Shape shapes[] = {
    {pq::Key_kind::signed_integer, 3}, {pq::Key_kind::unsigned_integer, 3},
    {pq::Key_kind::year, 1},           {pq::Key_kind::decimal, 6},
    {pq::Key_kind::float_number, 4},   {pq::Key_kind::double_number, 8},
    {pq::Key_kind::date, 3},           {pq::Key_kind::time, 5},
    {pq::Key_kind::datetime, 7},       {pq::Key_kind::timestamp, 6},
    {pq::Key_kind::text, 3},           {pq::Key_kind::padded_text, 3},
    {pq::Key_kind::binary, 3},         {pq::Key_kind::padded_binary, 3},
};

void check_codec(const pq::Key_column &column, const pq::Written_value &written) {
  if (!written) return;
  const auto stored = pq::encode_key(column, *written);
  if (!stored) return;
  check(stored->size() <= column.max_bytes);
  check(pq::decode_key(column, *stored).has_value());
}

void check_bound(const std::vector<pq::Written_value> &bound) {
  check(bound.size() <= pq::max_key_parts);
  for (const auto &written : bound) {
    for (const Shape &shape : shapes) {
      pq::Key_column column;
      column.kind = shape.kind;
      column.max_bytes = shape.bytes;
      column.precision = 12;
      column.scale = 3;
      column.greatest = 1000;
      check_codec(column, written);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const std::string_view name = text.substr(0, size / 4);
  const pq::Argument count = std::int64_t{5};
  const auto request = pq::read_range_request(name, std::string_view("t"), std::string_view("i"),
                                              count, text.substr(size / 4), 100);
  if (!request) return 0;
  check(!request->target.schema.empty() && !request->target.schema.contains('\0'));
  check_bound(request->lower);
  check_bound(request->upper);
  return 0;
}
