// Chooses range boundaries and estimates what lies between them.

#ifndef MYSQL_PQ_PURE_BALANCE_H
#define MYSQL_PQ_PURE_BALANCE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pq {

// Evenly spaced separators of a row of equal units (subtrees, or rows of leaf pages): separator i
// stands after (i + 1) * stride of them.
struct Separators {
  std::size_t size;
  std::uint64_t stride;
  std::uint64_t units;
};

// Returns the indexes of at most count - 1 separators, strictly ascending, that cut the units into
// ranges as even as the separators allow. count is at least 1.
[[nodiscard]] std::vector<std::size_t> choose_cuts(const Separators &separators,
                                                   std::uint32_t count);

// Moves each cut to the nearest of some places. Cuts and places ascend strictly, and so does the
// result: cuts that would share a place become one.
[[nodiscard]] std::vector<std::size_t> move_to_places(const std::vector<std::size_t> &places,
                                                      const std::vector<std::size_t> &cuts);

// Units in each of the cuts.size() + 1 ranges.
[[nodiscard]] std::vector<std::uint64_t> units_per_range(const Separators &separators,
                                                         const std::vector<std::size_t> &cuts);

// Scales the units by what one of them holds, and rounds.
[[nodiscard]] std::vector<std::uint64_t> scale(const std::vector<std::uint64_t> &units,
                                               double per_unit);

// An estimate as a reply can tell it: not negative, and no more than 10^18.
[[nodiscard]] std::uint64_t rounded(double value);

}  // namespace pq

#endif
