// Filtering rows by cells that are not decoded.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "pure/cell_comparison.h"
#include "pure/cell_filter.h"
#include "stored_cells.h"

namespace pq {
namespace {

// The ends are values of the column itself, so that about half of the rows pass.
std::vector<Filter_interval> middle_half(const Stored_cells &cells) {
  std::vector<std::string> stored;
  for (std::uint32_t row = 0; row < benchmark_rows; ++row) stored.push_back(cells.stored(row));
  std::ranges::sort(stored);
  return {{Filter_end{stored[benchmark_rows / 4], true},
           Filter_end{stored[benchmark_rows / 4 * 3], false}}};
}

std::vector<Filter_interval> values_of(const Stored_cells &cells, std::uint32_t count) {
  std::vector<Filter_interval> values;
  for (std::uint32_t row = 0; row < count; ++row) {
    values.push_back({Filter_end{cells.stored(row), true}, Filter_end{cells.stored(row), true}});
  }
  return values;
}

void measure(benchmark::State &state, const auto &apply) {
  std::vector<std::uint32_t> rows(benchmark_rows);
  for (auto _ : state) {
    std::iota(rows.begin(), rows.end(), 0U);
    benchmark::DoNotOptimize(apply(rows.data()));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * benchmark_rows);
}

void filter_interval(benchmark::State &state, const Benchmark_column &column) {
  const Stored_cells cells(column.type, 8);
  const Cell_filter filter(column.type, middle_half(cells), false);
  measure(state,
          [&](std::uint32_t *rows) { return filter.apply(cells.cells(), rows, benchmark_rows); });
}

void filter_values(benchmark::State &state, const Benchmark_column &column) {
  const Stored_cells cells(column.type, 8);
  const Cell_filter filter(column.type, values_of(cells, 100), false);
  measure(state,
          [&](std::uint32_t *rows) { return filter.apply(cells.cells(), rows, benchmark_rows); });
}

void compare(benchmark::State &state, const Benchmark_column &column) {
  const Stored_cells left(column.type, 8);
  const Stored_cells right(column.type, 0);
  const Cell_comparison comparison(column.type, Comparison::less_or_equal);
  measure(state, [&](std::uint32_t *rows) {
    return comparison.apply(left.cells(), right.cells(), rows, benchmark_rows);
  });
}

const int registered = [] {
  for (const Benchmark_column &column : benchmark_columns()) {
    const auto add = [&column](const char *what, auto *function) {
      benchmark::RegisterBenchmark((std::string(what) + column.name).c_str(), function, column);
    };
    add("filter/interval/", filter_interval);
    add("filter/100_values/", filter_values);
    add("comparison/", compare);
  }
  return 0;
}();

}  // namespace
}  // namespace pq
