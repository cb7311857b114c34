// Feeds arbitrary bytes to the reading of arguments and to the codecs behind bounds.

#include "pure/request.h"
#include "support/checks.h"
#include "support/key_checks.h"

namespace {

using pq::fuzz::check;

// A column of any kind, with sizes and digits that the input's bytes choose.
void check_bound(const std::vector<pq::Written_value> &bound) {
  check(bound.size() <= pq::max_key_parts);
  for (const auto &written : bound) {
    if (!written) continue;
    for (std::size_t shape = 0; shape < pq::fuzz::shapes.size(); ++shape) {
      const std::string choice = static_cast<char>(shape) + *written;
      pq::fuzz::Input input(reinterpret_cast<const unsigned char *>(choice.data()), choice.size());
      pq::fuzz::check_written(pq::fuzz::read_column(input), *written);
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
