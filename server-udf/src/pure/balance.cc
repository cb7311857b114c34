#include "pure/balance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pq {

namespace {

// The separator nearest to a place among the units.
std::size_t nearest(const Separators &separators, std::uint64_t place) {
  const std::uint64_t number = (place + separators.stride / 2) / separators.stride;
  return number == 0 ? 0 : number - 1;
}

// Values on one page by which the pages beside it are judged, as several parts make a range.
constexpr double enough_alone = 5;

// Of neighbours that each saw fewer.
constexpr double enough_together = 100;

constexpr std::uint64_t greatest_estimate = 1'000'000'000'000'000'000;

std::uint64_t rounded(double value) {
  const double whole = std::round(value);
  return whole < 1e18 ? static_cast<std::uint64_t>(std::max(whole, 0.0)) : greatest_estimate;
}

}  // namespace

std::vector<std::size_t> choose_cuts(const Separators &separators, std::uint32_t count) {
  std::vector<std::size_t> cuts;
  std::size_t free = 0;  // the first separator not taken yet
  for (std::uint64_t range = 1; range < count && free < separators.size; ++range) {
    // 128 bits: units times count may pass 64.
    const auto place = static_cast<std::uint64_t>(static_cast<unsigned __int128>(separators.units) *
                                                  range / count);
    const std::size_t cut = std::max(nearest(separators, place), free);
    if (cut >= separators.size) break;
    cuts.push_back(cut);
    free = cut + 1;
  }
  return cuts;
}

std::vector<std::size_t> choose_cuts_by_weight(const std::vector<double> &weights,
                                               std::uint32_t count) {
  if (weights.empty()) return {};
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (total <= 0) return choose_cuts_by_weight(std::vector<double>(weights.size(), 1.0), count);
  std::vector<std::size_t> cuts;
  double passed = 0;
  for (std::size_t part = 0; part + 1 < weights.size(); ++part) {
    passed += weights[part];
    // The end of the next part may be nearer to the place where a range should end.
    const double place = total * static_cast<double>(cuts.size() + 1) / count;
    if (cuts.size() + 1 < count && passed + weights[part + 1] / 2 >= place) cuts.push_back(part);
  }
  return cuts;
}

std::vector<std::size_t> move_to_places(const std::vector<std::size_t> &places,
                                        const std::vector<std::size_t> &cuts) {
  std::vector<std::size_t> moved;
  for (const std::size_t cut : cuts) {
    auto place = std::ranges::lower_bound(places, cut);
    const bool before_is_nearer =
        place != places.begin() && (place == places.end() || cut - *(place - 1) < *place - cut);
    if (before_is_nearer) --place;
    if (place != places.end() && (moved.empty() || *place > moved.back())) moved.push_back(*place);
  }
  return moved;
}

std::vector<std::uint64_t> units_per_range(const Separators &separators,
                                           const std::vector<std::size_t> &cuts) {
  std::vector<std::uint64_t> units;
  std::uint64_t start = 0;
  for (const std::size_t cut : cuts) {
    const std::uint64_t end = (cut + 1) * separators.stride;
    units.push_back(end - start);
    start = end;
  }
  units.push_back(separators.units - std::min(start, separators.units));
  return units;
}

void even_out(std::vector<Looked_at> &parts) {
  std::size_t begin = 0;
  while (begin < parts.size()) {
    double pages = 0;
    double values = 0;
    double bytes = 0;
    std::size_t end = begin;
    do {
      pages += parts[end].pages;
      values += parts[end].values;
      bytes += parts[end].bytes;
      ++end;
    } while (values < enough_together && end < parts.size() && parts[begin].values < enough_alone &&
             parts[end].values < enough_alone);
    for (; begin < end; ++begin) {
      parts[begin].bytes = pages > 0 ? bytes * parts[begin].pages / pages : 0;
    }
  }
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

std::vector<std::uint64_t> scale(const std::vector<std::uint64_t> &units, double per_unit) {
  std::vector<std::uint64_t> scaled;
  for (const std::uint64_t unit : units) {
    scaled.push_back(rounded(static_cast<double>(unit) * per_unit));
  }
  return scaled;
}

}  // namespace pq
