// Decoding cells into columns, and writing columns as a batch.

#include <benchmark/benchmark.h>

#include <string>

#include "stored_cells.h"

namespace pq {
namespace {

constexpr std::uint32_t null_every = 8;

void decode(benchmark::State &state, const Benchmark_column &column, std::uint32_t nulls) {
  const Stored_cells stored(column.type, nulls);
  const Fill_column fill = decoder_of(column.type, column.layout);
  Column_batch batch({column.layout}, benchmark_rows);
  for (auto _ : state) {
    batch.clear();
    fill(column.type, stored.cells(), 0, batch.columns()[0]);
    benchmark::DoNotOptimize(batch.columns()[0]);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * benchmark_rows);
}

// A row of all columns at once, as a scan fills and sends it.
void fill_and_write(benchmark::State &state, bool written) {
  std::vector<Stored_cells> stored;
  std::vector<Layout> layouts;
  for (const Benchmark_column &column : benchmark_columns()) {
    stored.emplace_back(column.type, null_every);
    layouts.push_back(column.layout);
  }
  Column_batch batch(layouts, benchmark_rows);
  std::string bytes;
  for (auto _ : state) {
    batch.clear();
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const Benchmark_column &column = benchmark_columns()[i];
      decoder_of(column.type, column.layout)(column.type, stored[i].cells(), 0, batch.columns()[i]);
    }
    batch.end_rows(benchmark_rows);
    if (written) batch.write({}, bytes);
    benchmark::DoNotOptimize(bytes);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * layouts.size()) *
                          benchmark_rows);
}

const int registered = [] {
  for (const Benchmark_column &column : benchmark_columns()) {
    const std::string name = std::string("cells/") + column.name;
    benchmark::RegisterBenchmark(name.c_str(), decode, column, 0U);
    benchmark::RegisterBenchmark((name + "/nulls").c_str(), decode, column, null_every);
  }
  benchmark::RegisterBenchmark("batch/fill", fill_and_write, false);
  benchmark::RegisterBenchmark("batch/fill_and_write", fill_and_write, true);
  return 0;
}();

}  // namespace
}  // namespace pq
