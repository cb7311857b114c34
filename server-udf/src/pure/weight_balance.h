// Chooses boundaries of ranges between parts that weigh differently.

#ifndef MYSQL_PQ_PURE_WEIGHT_BALANCE_H
#define MYSQL_PQ_PURE_WEIGHT_BALANCE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pq {

// Returns the indexes of at most count - 1 parts that end a range, strictly ascending, so that
// ranges are as even as the parts allow. The last part is never among them. There are fewer if a
// part weighs more than a range should. count is at least 1.
[[nodiscard]] std::vector<std::size_t> choose_cuts_by_weight(const std::vector<double> &weights,
                                                             std::uint32_t count);

// The sum of the parts in each of the ranges that end with these parts, rounded.
[[nodiscard]] std::vector<std::uint64_t> sum_ranges(const std::vector<double> &parts,
                                                    const std::vector<std::size_t> &cuts);

// The weight of a part, and the pages that it takes to cut the part again; 0 if it need not be cut.
struct Division {
  double weight;
  double pages;
};

// Chooses the parts to cut again, the heaviest first, as far as `pages` pages go.
[[nodiscard]] std::vector<bool> choose_heaviest(const std::vector<Division> &divisions,
                                                double pages);

}  // namespace pq

#endif
