// Conversion of stored keys to text and back, and the request that brings them.

#include <benchmark/benchmark.h>

#include <string>

#include "pure/json_reader.h"
#include "pure/key_codec.h"
#include "pure/key_sample.h"
#include "pure/readable_key.h"
#include "pure/utf8.h"
#include "stored_cells.h"

namespace pq {
namespace {

void to_text(benchmark::State &state, const Benchmark_column &column) {
  const Stored_cells cells(column.type, 0);
  const Key_column key = key_column_of(column.type);
  std::uint32_t row = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(decode_key(key, cells.stored(row)));
    row = (row + 1) % benchmark_rows;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void from_text(benchmark::State &state, const Benchmark_column &column) {
  const Key_column key = key_column_of(column.type);
  std::vector<std::string> written;
  for (std::uint64_t row = 0; row < benchmark_rows; ++row) {
    written.push_back(written_value(column.type, row * 0x9E3779B97F4A7C15));
  }
  std::size_t row = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(encode_key(key, written[row]));
    row = (row + 1) % benchmark_rows;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

// Separators that a walk over a tree offers, of which it keeps an even share.
void sample_keys(benchmark::State &state) {
  const Stored_cells cells({.kind = Cell_kind::stored_integer, .size = 8}, 0);
  const auto offered = static_cast<std::uint32_t>(state.range(0));
  Key_sample sample(16384, std::size_t{1} << 20, 1);
  for (auto _ : state) {
    sample.clear();
    for (std::uint32_t i = 0; i < offered; ++i) {
      const Field_value field = cells.stored(i % benchmark_rows);
      sample.offer({&field, 1});
    }
    benchmark::DoNotOptimize(sample.size());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * offered);
}
BENCHMARK(sample_keys)->Name("walk/sample_keys")->Arg(1000)->Arg(100000);

void readable_keys(benchmark::State &state) {
  const std::vector<Key_column> columns{
      key_column_of({.kind = Cell_kind::stored_integer, .size = 8}),
      key_column_of({.kind = Cell_kind::bytes})};
  const Boundary boundary{"123456789", "736f6d652074657874"};
  for (auto _ : state) benchmark::DoNotOptimize(write_readable_key(columns, boundary));
}
BENCHMARK(readable_keys)->Name("text/readable_key");

void check_utf8(benchmark::State &state) {
  std::string text;
  while (text.size() < 4096) text += "plain text, then \xc3\xa9 and \xe2\x82\xac; ";
  for (auto _ : state) benchmark::DoNotOptimize(utf8_length(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(check_utf8)->Name("text/utf8_length");

void parse_request(benchmark::State &state) {
  std::string request = R"({"columns":["c0")";
  for (int i = 1; i < 64; ++i) request += R"(,"column \u00e9 number )" + std::to_string(i) + '"';
  request += R"(],"lower":[{"value":"-1"},null],"count":16,"exact":true})";
  for (auto _ : state) benchmark::DoNotOptimize(read_json(request));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * request.size()));
}
BENCHMARK(parse_request)->Name("text/read_json");

const int registered = [] {
  for (const Benchmark_column &column : benchmark_columns()) {
    benchmark::RegisterBenchmark((std::string("text/to/") + column.name).c_str(), to_text, column);
    benchmark::RegisterBenchmark((std::string("text/from/") + column.name).c_str(), from_text,
                                 column);
  }
  return 0;
}();

}  // namespace
}  // namespace pq
