// Feeds arbitrary bytes to the reading of arguments and to the codecs behind bounds.

#include <cstdlib>

#include "pure/key_codec.h"
#include "pure/request.h"

namespace {

// What was accepted must keep the rules that later code relies on.
void check(bool rule) {
  if (!rule) std::abort();
}

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
    for (const auto kind : {pq::Key_kind::signed_integer, pq::Key_kind::unsigned_integer,
                            pq::Key_kind::text, pq::Key_kind::padded_text}) {
      pq::Key_column column;
      column.kind = kind;
      column.max_bytes = 3;
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
