// Walking the records of a leaf page, and finding their cells: what a native scan does for each row
// before anything is decoded.

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "leaf/leaf_page.h"
#include "leaf/record_layout.h"
#include "scan/leaf_scan.h"
#include "synthetic_table.h"

namespace pq {
namespace {

struct Shape {
  const char *name;
  std::vector<Synthetic_column> columns;
};

std::vector<Shape> shapes() {
  constexpr Synthetic_column number{4, 0};
  constexpr Synthetic_column nullable{4, 8};
  constexpr Synthetic_column text{0, 0};
  constexpr Synthetic_column nullable_text{0, 8};
  return {{"numbers", std::vector(8, number)},
          {"nullable_numbers", std::vector(8, nullable)},
          {"texts", std::vector(8, text)},
          {"wide",
           {number, nullable, text, nullable_text, number, nullable, text, nullable_text, number,
            nullable, text, nullable_text, number, nullable, text, nullable_text}}};
}

// A scan that walks pages which the benchmark gives to it. Nothing is read through the buffer pool.
class Page_walk final {
 public:
  explicit Page_walk(const Synthetic_table &table)
      : m_layout(table.tree().index, table.columns()),
        m_scan(nullptr, table.tree(), m_layout, {nullptr}, m_copies,
               *reinterpret_cast<Leaf_readahead *>(m_no_readahead)) {}

  [[nodiscard]] Record_layout &layout() { return m_layout; }

  // The records of the page, of which the scan makes a copy. None if it takes the page for damaged.
  [[nodiscard]] std::span<const rec_t *const> run(const page_t *page) {
    m_scan.m_found = 0;
    m_scan.m_used_copies = 0;
    const ulint first = m_scan.m_format.first_offset(page);
    if (m_scan.read_page(page, first, m_mtr) != Leaf_scan::Outcome::good) m_scan.m_found = 0;
    return {m_scan.m_records.get(), m_scan.m_found};
  }

  [[nodiscard]] const byte *limit_of(const rec_t *rec) const { return m_scan.limit_of(rec); }

 private:
  Record_layout m_layout;
  Page_copies m_copies;
  // Needed between two holds of latches only, of which there are none.
  alignas(Leaf_readahead) unsigned char m_no_readahead[sizeof(Leaf_readahead)]{};
  Leaf_scan m_scan;
  Read_mtr m_mtr;
};

bool has_all_rows(benchmark::State &state, const Synthetic_table &table, std::size_t rows) {
  if (rows == table.rows() && rows > 0) return true;
  state.SkipWithError("the scan did not find the rows of the page");
  return false;
}

void count(benchmark::State &state, const Synthetic_table &table) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * table.rows());
}

void walk(benchmark::State &state, const Shape &shape) {
  const Synthetic_table table(shape.columns);
  Page_walk pages(table);
  if (!has_all_rows(state, table, pages.run(table.page()).size())) return;
  for (auto _ : state) benchmark::DoNotOptimize(pages.run(table.page()).data());
  count(state, table);
}

void locate(benchmark::State &state, const Shape &shape) {
  const Synthetic_table table(shape.columns);
  Page_walk pages(table);
  const auto records = pages.run(table.page());
  if (!has_all_rows(state, table, records.size())) return;
  Cell_block cells(table.columns().size(), table.rows());
  pages.layout().describe(cells);
  for (auto _ : state) {
    std::size_t bytes = 0;
    std::uint32_t row = 0;
    for (const rec_t *rec : records) {
      bytes += pages.layout().locate(rec, pages.limit_of(rec), row++, cells);
    }
    benchmark::DoNotOptimize(bytes);
    benchmark::ClobberMemory();
  }
  count(state, table);
}

const int registered = [] {
  for (const Shape &shape : shapes()) {
    benchmark::RegisterBenchmark((std::string("page/walk/") + shape.name).c_str(), walk, shape);
    benchmark::RegisterBenchmark((std::string("page/locate/") + shape.name).c_str(), locate, shape);
  }
  return 0;
}();

}  // namespace
}  // namespace pq
