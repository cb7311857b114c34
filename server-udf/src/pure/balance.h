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

// The indexes of at most count - 1 separators, strictly ascending, that cut the units into ranges as
// even as the separators allow. count is at least 1.
[[nodiscard]] std::vector<std::size_t> choose_cuts(const Separators &separators,
                                                   std::uint32_t count);

// The same of parts that weigh differently: the indexes of at most count - 1 parts to end a range with, strictly ascending,
// never the last. Fewer where a part weighs more than a range should.
[[nodiscard]] std::vector<std::size_t> choose_cuts_by_weight(const std::vector<double> &weights,
                                                             std::uint32_t count);

// What one page of a part was seen to keep off-page, taken for all of its pages.
struct Looked_at {
  double pages;
  double values;  // seen on the page
  double bytes;   // of the part
};

// One page says little of others if it has few such values: neighbours that saw few share, page by page, what they saw
// together.
void even_out(std::vector<Looked_at> &parts);

// Each cut's nearest of some places, which both ascend strictly, as the result does: cuts that would share
// a place become one.
[[nodiscard]] std::vector<std::size_t> move_to_places(const std::vector<std::size_t> &places,
                                                      const std::vector<std::size_t> &cuts);

// Units in each of the cuts.size() + 1 ranges.
[[nodiscard]] std::vector<std::uint64_t> units_per_range(const Separators &separators,
                                                         const std::vector<std::size_t> &cuts);

// Of the parts in each of the ranges that end with these parts, rounded.
[[nodiscard]] std::vector<std::uint64_t> sum_ranges(const std::vector<double> &parts,
                                                    const std::vector<std::size_t> &cuts);

// The units scaled by what one of them holds, rounded.
[[nodiscard]] std::vector<std::uint64_t> scale(const std::vector<std::uint64_t> &units,
                                               double per_unit);

}  // namespace pq

#endif
