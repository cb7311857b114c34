// The secret that stands for a snapshot.

#ifndef MYSQL_PQ_PURE_SNAPSHOT_TOKEN_H
#define MYSQL_PQ_PURE_SNAPSHOT_TOKEN_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pq {

// 128 bits that nobody can guess.
struct Snapshot_token {
  std::array<std::uint8_t, 16> bytes{};
};

// Takes as long for tokens that differ early as for those that differ late.
[[nodiscard]] bool same_token(const Snapshot_token &left, const Snapshot_token &right) noexcept;

// Nothing unless the text is 32 lower-case hex digits.
[[nodiscard]] std::optional<Snapshot_token> read_token(std::string_view text);

[[nodiscard]] std::string write_token(const Snapshot_token &token);

}  // namespace pq

#endif
