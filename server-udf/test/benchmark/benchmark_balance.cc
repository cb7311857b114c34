// Balancing ranges over what a walk found.

#include <benchmark/benchmark.h>

#include <numeric>

#include "pure/balance.h"

namespace pq {
namespace {

// Argument 0: separators; argument 1: ranges.
void balance(benchmark::State &state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const auto ranges = static_cast<std::uint32_t>(state.range(1));
  const Separators separators{size, 2, 2 * size + 1};
  for (auto _ : state) {
    const auto cuts = choose_cuts(separators, ranges);
    benchmark::DoNotOptimize(scale(units_per_range(separators, cuts), 87.5));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * ranges);
}
BENCHMARK(balance)->Name("balance/cut")->Args({1000, 16})->Args({16384, 64})->Args({16384, 1024});

void move(benchmark::State &state) {
  std::vector<std::size_t> places(static_cast<std::size_t>(state.range(0)));
  std::iota(places.begin(), places.end(), std::size_t{5});
  for (std::size_t &place : places) place *= 3;
  const auto cuts = choose_cuts({3 * places.size(), 1, 3 * places.size() + 1}, 256);
  for (auto _ : state) benchmark::DoNotOptimize(move_to_places(places, cuts));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * cuts.size()));
}
BENCHMARK(move)->Name("balance/move_to_places")->Arg(1000)->Arg(16384);

}  // namespace
}  // namespace pq
