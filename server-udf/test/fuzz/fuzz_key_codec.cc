// Feeds arbitrary values to the codecs of keys: as a client writes them, and as a damaged page
// might hold them.

#include "support/key_checks.h"
#include "support/key_columns.h"

namespace pq::fuzz {
namespace {

// What a codec made of a stored value, it reads back as the value that it wrote.
void check_stored(const Key_column &column, std::string_view stored) {
  const auto written = decode_key(column, stored);
  if (!written) return;
  const auto encoded = encode_key(column, *written);
  if (!encoded) return;  // more than the column holds may lie on a page
  check(encoded->size() <= column.max_bytes);
  const auto again = decode_key(column, *encoded);
  check(again.has_value() && *again == *written);
}

}  // namespace
}  // namespace pq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
  pq::fuzz::Input input(data, size);
  const pq::Key_column column = pq::fuzz::read_column(input);
  pq::fuzz::check_stored(column, input.rest());
  pq::fuzz::check_written(column, input.rest());
  return 0;
}
