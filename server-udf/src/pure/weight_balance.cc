#include "pure/weight_balance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pure/balance.h"

namespace pq {

std::vector<std::size_t> choose_cuts_by_weight(const std::vector<double> &weights,
                                               std::uint32_t count) {
  if (weights.empty()) return {};
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (total <= 0) return choose_cuts_by_weight(std::vector<double>(weights.size(), 1.0), count);
  std::vector<std::size_t> cuts;
  std::uint32_t range = 1;  // the one that is to end next
  const auto place = [&] { return total * range / count; };
  double passed = 0;
  for (std::size_t part = 0; part + 1 < weights.size() && range < count; ++part) {
    passed += weights[part];
    // The end of the next part may be nearer to the place where the range should end.
    if (passed + weights[part + 1] / 2 < place()) continue;
    cuts.push_back(part);
    ++range;
    // A heavy part takes the places of several ranges.
    while (range < count && place() <= passed) ++range;
  }
  return cuts;
}

std::vector<std::uint64_t> sum_ranges(const std::vector<double> &parts,
                                      const std::vector<std::size_t> &cuts) {
  std::vector<std::uint64_t> sums;
  std::size_t begin = 0;
  const auto sum_to = [&](std::size_t end) {
    const auto first = parts.begin();
    sums.push_back(rounded(std::accumulate(first + static_cast<std::ptrdiff_t>(begin),
                                           first + static_cast<std::ptrdiff_t>(end), 0.0)));
    begin = end;
  };
  for (const std::size_t cut : cuts) sum_to(cut + 1);
  sum_to(parts.size());
  return sums;
}

std::vector<bool> choose_heaviest(const std::vector<Division> &divisions, double pages) {
  std::vector<std::size_t> order(divisions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::size_t i) { return divisions[i].weight; });
  std::vector<bool> chosen(divisions.size());
  for (const std::size_t i : order) {
    if (divisions[i].pages <= 0) continue;
    pages -= divisions[i].pages;
    if (pages < 0) break;
    chosen[i] = true;
  }
  return chosen;
}

}  // namespace pq
