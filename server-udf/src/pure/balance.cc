#include "pure/balance.h"

#include <algorithm>
#include <cmath>

namespace pq {

namespace {

// The separator nearest to a place among the units.
std::size_t nearest(const Separators &separators, std::uint64_t place) {
  const std::uint64_t number = (place + separators.stride / 2) / separators.stride;
  return number == 0 ? 0 : number - 1;
}

constexpr std::uint64_t greatest_estimate = 1'000'000'000'000'000'000;

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

std::vector<std::uint64_t> scale(const std::vector<std::uint64_t> &units, double per_unit) {
  std::vector<std::uint64_t> scaled;
  for (const std::uint64_t unit : units) {
    scaled.push_back(rounded(static_cast<double>(unit) * per_unit));
  }
  return scaled;
}

std::uint64_t rounded(double value) {
  const double whole = std::round(value);
  return whole < 1e18 ? static_cast<std::uint64_t>(std::max(whole, 0.0)) : greatest_estimate;
}

}  // namespace pq
