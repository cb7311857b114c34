// Feeds cells of arbitrary bytes, as a damaged page might hold them, to decoders, filters and
// comparisons, and the columns to a batch.

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "pure/cell_comparison.h"
#include "pure/cell_filter.h"
#include "pure/cells.h"
#include "pure/column_batch.h"
#include "support/checks.h"

namespace pq::fuzz {
namespace {

constexpr std::array layouts{Layout::int8,  Layout::int16,  Layout::int32,
                             Layout::int64, Layout::int128, Layout::bytes};

// As the server describes its columns: a number of bytes, digits and scale that the type can have.
Cell_type read_type(Input &input) {
  Cell_type type;
  type.kind = static_cast<Cell_kind>(input.byte() % (static_cast<unsigned>(Cell_kind::bytes) + 1));
  type.is_unsigned = input.byte() % 2 != 0;
  const std::uint8_t number = input.byte();
  if (type.kind == Cell_kind::stored_integer) type.size = static_cast<std::uint8_t>(1 + number % 8);
  if (type.kind == Cell_kind::decimal) {
    type.precision = static_cast<std::uint8_t>(1 + number % 65);
    type.scale =
        static_cast<std::uint8_t>(input.byte() % (std::min<unsigned>(type.precision, 30) + 1));
  } else if (type.kind == Cell_kind::datetime || type.kind == Cell_kind::timestamp ||
             type.kind == Cell_kind::time) {
    type.scale = static_cast<std::uint8_t>(number % 7);
  }
  type.is_padded = type.kind == Cell_kind::bytes && number % 2 != 0;
  return type;
}

// Cells in memory of their own each, so that the sanitizer sees what is read beyond them.
class Column final {
 public:
  Column(const Cell_type &type, Input &input) : m_size(stored_size(type)) {
    while (!input.empty() && m_data.size() < 40) add(input);
  }

  [[nodiscard]] Cells cells() const {
    return {m_data.data(), m_sizes.data(), static_cast<std::uint32_t>(m_data.size())};
  }
  [[nodiscard]] std::uint32_t nulls() const {
    return static_cast<std::uint32_t>(std::ranges::count(m_data, nullptr));
  }

 private:
  void add(Input &input) {
    const std::uint8_t first = input.byte();
    const bool is_null = first % 8 == 0;
    const std::string_view bytes = input.bytes(m_size == 0 ? first / 8 : m_size);
    m_copies.emplace_back(m_size == 0 ? bytes.size() : m_size);
    std::ranges::copy(bytes, m_copies.back().begin());
    static const unsigned char nothing = 0;
    const auto *data = m_copies.back().empty() ? &nothing : m_copies.back().data();
    m_data.push_back(is_null ? nullptr : data);
    m_sizes.push_back(is_null ? 0 : static_cast<std::uint32_t>(m_copies.back().size()));
  }

  std::size_t m_size;
  std::vector<std::vector<unsigned char>> m_copies;
  std::vector<const unsigned char *> m_data;
  std::vector<std::uint32_t> m_sizes;
};

void check_batch(const Cell_type &type, Layout layout, const Column &column) {
  const Fill_column fill =
      type.kind == Cell_kind::bytes && layout != Layout::bytes ? nullptr : decoder_of(type, layout);
  if (fill == nullptr) return;
  const Cells cells = column.cells();
  Column_batch batch({layout}, cells.count + 1);
  fill(type, cells, 0, batch.columns()[0]);
  batch.end_rows(cells.count);
  check(batch.columns()[0].nulls() == column.nulls());
  std::string written;
  batch.write({Batch_end::stopped, 7, 8, "[\"9\"]"}, written);
  check(written.size() <= batch.size() + 256 && written.starts_with("MPQB"));
  batch.clear();
  fill(type, cells, 0, batch.columns()[0]);
  batch.end_rows(cells.count);
  std::string again;
  batch.write({Batch_end::stopped, 7, 8, "[\"9\"]"}, again);
  check(again == written);
}

std::vector<std::uint32_t> all_rows(const Cells &cells) {
  std::vector<std::uint32_t> rows(cells.count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

// A cell is in the interval of itself, and there are no rows but those that were asked for.
void check_filter(const Cell_type &type, const Column &column) {
  const Cells cells = column.cells();
  for (std::uint32_t i = 0; i < cells.count; ++i) {
    if (cells.data[i] == nullptr) continue;
    const Filter_end end{std::string(reinterpret_cast<const char *>(cells.data[i]), cells.sizes[i]),
                         true};
    auto rows = all_rows(cells);
    const auto kept = Cell_filter(type, {{end, end}}, false).apply(cells, rows.data(), cells.count);
    check(kept <= cells.count &&
          std::ranges::find(rows.begin(), rows.begin() + kept, i) != rows.begin() + kept);
    auto below = all_rows(cells);
    const auto others = Cell_filter(type,
                                    {{std::nullopt, Filter_end{end.stored, false}},
                                     {Filter_end{end.stored, false}, std::nullopt}},
                                    false)
                            .apply(cells, below.data(), cells.count);
    // Each row is below, above or at the value, or NULL.
    check(kept + others + column.nulls() == cells.count);
  }
}

void check_comparison(const Cell_type &type, const Column &column) {
  const Cells cells = column.cells();
  const auto count = [&](Comparison comparison) {
    auto rows = all_rows(cells);
    return Cell_comparison(type, comparison).apply(cells, cells, rows.data(), cells.count);
  };
  check(count(Comparison::equal) == cells.count - column.nulls());
  check(count(Comparison::less) == 0 && count(Comparison::not_equal) == 0);
}

// Those that the server hands to filters: their bytes sort as their values do.
bool sorts_as_stored(const Cell_type &type) {
  return type.kind != Cell_kind::float_number && type.kind != Cell_kind::double_number;
}

}  // namespace
}  // namespace pq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
  using namespace pq::fuzz;
  Input input(data, size);
  const pq::Cell_type type = read_type(input);
  const pq::Layout layout = layouts[input.byte() % layouts.size()];
  const Column column(type, input);
  check_batch(type, layout, column);
  if (!sorts_as_stored(type)) return 0;
  check_filter(type, column);
  check_comparison(type, column);
  return 0;
}
