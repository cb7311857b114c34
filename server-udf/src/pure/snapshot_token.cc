#include "pure/snapshot_token.h"

#include <algorithm>

#include "pure/hex.h"

namespace pq {

bool same_token(const Snapshot_token &left, const Snapshot_token &right) noexcept {
  unsigned difference = 0;
  for (std::size_t i = 0; i < left.bytes.size(); ++i) {
    difference |= static_cast<unsigned>(left.bytes[i] ^ right.bytes[i]);
  }
  return difference == 0;
}

std::optional<Snapshot_token> read_token(std::string_view text) {
  const auto bytes = from_hex(text);
  Snapshot_token token;
  if (!bytes || bytes->size() != token.bytes.size() || to_hex(*bytes) != text) return std::nullopt;
  std::ranges::transform(*bytes, token.bytes.begin(),
                         [](char c) { return static_cast<std::uint8_t>(c); });
  return token;
}

std::string write_token(const Snapshot_token &token) {
  return to_hex(
      std::string_view(reinterpret_cast<const char *>(token.bytes.data()), token.bytes.size()));
}

}  // namespace pq
