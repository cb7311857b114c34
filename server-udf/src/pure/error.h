// The one error type of the extension and the Result that carries it.
//
// The room `pure` parses requests and tokens, encodes and decodes keys and cells, balances ranges
// and writes replies. It takes and gives plain values. It must know nothing of MySQL, so all of it
// is tested, fuzzed and measured without a server.

#ifndef MYSQL_PQ_PURE_ERROR_H
#define MYSQL_PQ_PURE_ERROR_H

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace pq {

// What docs/protocol.md calls a code. `reported` means that the server has already put its own
// error (1142, 1146, 1205, ...) into the diagnostics area.
enum class Code : std::uint8_t {
  bad_argument,
  unsupported_key,
  unusable_table,
  unsupported_scan,
  other_type,
  bad_context,
  bad_snapshot,
  no_such_snapshot,
  too_many_snapshots,
  snapshot_expired,
  gave_way,
  too_many_scans,
  memory_limit,
  history_too_long,
  disabled,
  too_large,
  out_of_memory,
  reported
};

struct Error {
  Code code;
  std::string message;

  bool operator==(const Error &) const = default;
};

template <class T>
using Result = std::expected<T, Error>;

// The word that stands behind "mysql_pq: " in the message.
[[nodiscard]] constexpr std::string_view code_name(Code code) {
  switch (code) {
    case Code::bad_argument:
      return "bad_argument";
    case Code::unsupported_key:
      return "unsupported_key";
    case Code::unusable_table:
      return "unusable_table";
    case Code::unsupported_scan:
      return "unsupported_scan";
    case Code::other_type:
      return "other_type";
    case Code::bad_context:
      return "bad_context";
    case Code::bad_snapshot:
      return "bad_snapshot";
    case Code::no_such_snapshot:
      return "no_such_snapshot";
    case Code::too_many_snapshots:
      return "too_many_snapshots";
    case Code::snapshot_expired:
      return "snapshot_expired";
    case Code::gave_way:
      return "gave_way";
    case Code::too_many_scans:
      return "too_many_scans";
    case Code::memory_limit:
      return "memory_limit";
    case Code::history_too_long:
      return "history_too_long";
    case Code::disabled:
      return "disabled";
    case Code::too_large:
      return "too_large";
    case Code::out_of_memory:
      return "out_of_memory";
    case Code::reported:
      return "reported";
  }
  return "unknown";
}

[[nodiscard]] inline std::unexpected<Error> fail(Code code, std::string message) {
  return std::unexpected<Error>(Error{code, std::move(message)});
}

}  // namespace pq

#endif
