// What holds of every codec of keys.

#ifndef MYSQL_PQ_FUZZ_KEY_CHECKS_H
#define MYSQL_PQ_FUZZ_KEY_CHECKS_H

#include "key_columns.h"

namespace pq::fuzz {

// What a client wrote is refused, or stored as what reads back as it.
inline void check_written(const Key_column &column, std::string_view written) {
  const auto stored = encode_key(column, written);
  if (!stored) {
    check(stored.error().code == Code::bad_argument);
    return;
  }
  check(stored->size() <= column.max_bytes);
  const auto decoded = decode_key(column, *stored);
  check(decoded.has_value());
  const auto encoded = encode_key(column, *decoded);
  check(encoded.has_value());
  if (column.kind == Key_kind::padded_text) {
    // Spaces at the end are padding, which is not written again.
    check(stored->starts_with(*encoded));
    check(stored->find_first_not_of(' ', encoded->size()) == std::string::npos);
  } else {
    check(*encoded == *stored);
  }
}

}  // namespace pq::fuzz

#endif
