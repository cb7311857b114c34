// What a scan is to say of its batches so that its caller may keep them, and what the caller has
// kept: the argument `validator` of docs/protocol.md.

#ifndef MYSQL_PQ_PURE_VALIDATION_H
#define MYSQL_PQ_PURE_VALIDATION_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pure/error.h"
#include "pure/request.h"
#include "pure/validator.h"

namespace pq {

// A part of a range that the caller has kept.
struct Known_piece {
  std::optional<Validator> validator;  // nothing if the piece is to be read in any case
  std::vector<Written_value> end;      // the key up to which it goes; empty: the range's end
};

struct Validation {
  bool by_pieces = false;            // each batch has a validator of its own
  std::uint32_t piece_rows = 0;      // of the index, after which a batch ends; 0: no limit
  std::vector<Written_value> after;  // the scan begins behind this key
  std::vector<Known_piece> known;    // in the order of the range
};

constexpr std::size_t max_known_pieces = 1024;
constexpr std::uint32_t max_piece_rows = 1 << 24;
constexpr std::size_t max_validation_bytes = 1024 * 1024;

// Nothing if the argument is NULL.
[[nodiscard]] Result<std::optional<Validation>> read_validation(const Argument &argument);

}  // namespace pq

#endif
