#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "pure/cells.h"
#include "pure/column_batch.h"

namespace pq {
namespace {

template <class T>
T number_at(const std::string &batch, std::size_t at) {
  T value;
  EXPECT_LE(at + sizeof(T), batch.size());
  std::memcpy(&value, batch.data() + at, sizeof(T));
  return value;
}

using Cell = std::optional<std::string>;

// Reads one column of a batch by the words of column_batch.h.
std::vector<Cell> column_of(const std::string &batch, std::size_t column) {
  const std::size_t head = 48 + 24 * column;
  const auto rows = number_at<std::uint32_t>(batch, 8);
  const auto layout = static_cast<Layout>(number_at<std::uint32_t>(batch, head));
  const auto nulls = number_at<std::uint32_t>(batch, head + 4);
  const auto validity = number_at<std::uint32_t>(batch, head + 8);
  const auto values = number_at<std::uint32_t>(batch, head + 12);
  const auto data = number_at<std::uint32_t>(batch, head + 16);
  const auto data_size = number_at<std::uint32_t>(batch, head + 20);
  EXPECT_EQ(nulls == 0, validity == 0);
  EXPECT_EQ(validity % 8 + values % 8 + data % 8, 0U);
  std::vector<Cell> cells;
  std::uint32_t counted = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (nulls > 0 && (batch[validity + row / 8] >> row % 8 & 1) == 0) {
      cells.emplace_back();
      ++counted;
      continue;
    }
    if (layout == Layout::bytes) {
      const auto begin = number_at<std::uint32_t>(batch, values + 4 * row);
      const auto end = number_at<std::uint32_t>(batch, values + 4 * row + 4);
      EXPECT_LE(begin, end);
      EXPECT_LE(end, data_size);
      cells.emplace_back(batch.substr(data + begin, end - begin));
    } else {
      cells.emplace_back(batch.substr(values + width_of(layout) * row, width_of(layout)));
    }
  }
  EXPECT_EQ(counted, nulls);
  return cells;
}

std::string cursor_of(const std::string &batch) {
  const auto at = number_at<std::uint32_t>(batch, 28);
  const auto size = number_at<std::uint32_t>(batch, 40);
  EXPECT_EQ(at == 0, size == 0);
  EXPECT_EQ(at % 8, 0U);
  return batch.substr(at, size);
}

template <class Random>
std::string random_bytes(const Random &random, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(random()));
  return bytes;
}

void set(Column_buffer &buffer, std::uint32_t row, const Cell &cell) {
  if (!cell) {
    buffer.set_null(row);
  } else if (buffer.layout() == Layout::bytes) {
    buffer.append_bytes(row, 1, [&cell](std::uint32_t) { return std::string_view(*cell); });
  } else {
    const auto *data = reinterpret_cast<const unsigned char *>(cell->data());
    unsigned __int128 value = 0;
    for (std::size_t i = cell->size(); i-- > 0;) value = value << 8 | data[i];
    switch (buffer.layout()) {
      case Layout::int8:
        return buffer.set(row, static_cast<std::uint8_t>(value));
      case Layout::int16:
        return buffer.set(row, static_cast<std::uint16_t>(value));
      case Layout::int32:
        return buffer.set(row, static_cast<std::uint32_t>(value));
      case Layout::int64:
        return buffer.set(row, static_cast<std::uint64_t>(value));
      default:
        return buffer.set(row, value);
    }
  }
}

// Whatever is set is what a reader finds, in the same buffers used again.
TEST(ColumnBatch, GivesBackWhatWasSet) {
  std::mt19937 engine(3);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  const std::vector<Layout> layouts{Layout::int8,  Layout::bytes, Layout::int128, Layout::int16,
                                    Layout::int32, Layout::int64, Layout::bytes};
  Column_batch batch(layouts, 100);
  for (int round = 0; round < 200; ++round) {
    batch.clear();
    const std::uint32_t rows = random() % 101;
    const unsigned one_null_in = round % 3 == 0 ? 0 : 1 + random() % 10;
    std::vector<std::vector<Cell>> expected(layouts.size());
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < layouts.size(); ++column) {
        const std::size_t size =
            layouts[column] == Layout::bytes ? random() % 300 : width_of(layouts[column]);
        expected[column].emplace_back(random_bytes(random, size));
        if (one_null_in > 0 && random() % one_null_in == 0) expected[column].back().reset();
        set(batch.columns()[column], row, expected[column].back());
      }
    }
    batch.end_rows(rows);
    EXPECT_EQ(batch.rows(), rows);
    EXPECT_EQ(batch.room(), 100 - rows);
    const Batch_place place{static_cast<Batch_end>(round % 3), random(),
                            std::uint64_t{random()} << 20, random_bytes(random, random() % 20)};
    // Whatever a batch before left there.
    std::string written = random_bytes(random, random() % 3000);
    batch.write(place, written);
    ASSERT_EQ(written.substr(0, 4), "MPQB");
    ASSERT_EQ(number_at<std::uint16_t>(written, 4), 1);
    ASSERT_EQ(number_at<std::uint16_t>(written, 6), layouts.size());
    ASSERT_EQ(number_at<std::uint32_t>(written, 8), rows);
    ASSERT_EQ(number_at<std::uint32_t>(written, 12), round % 3);
    ASSERT_EQ(number_at<std::uint64_t>(written, 16), written.size());
    ASSERT_EQ(number_at<std::uint32_t>(written, 24), place.number);
    ASSERT_EQ(number_at<std::uint64_t>(written, 32), place.rows_before);
    ASSERT_EQ(cursor_of(written), place.cursor);
    ASSERT_EQ(number_at<std::uint32_t>(written, 44), 0U);
    EXPECT_LE(written.size(), batch.size() + place.cursor.size() + 8);
    for (std::size_t column = 0; column < layouts.size(); ++column)
      ASSERT_EQ(column_of(written, column), expected[column]);
  }
}

// What is kept of some rows, and what comes behind it, is what a batch of these rows alone has.
TEST(ColumnBatch, KeepsRows) {
  std::mt19937 engine(4);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  const std::vector<Layout> layouts{Layout::int8, Layout::bytes, Layout::int128, Layout::int32};
  Column_batch batch(layouts, 200);
  for (int round = 0; round < 500; ++round) {
    batch.clear();
    Column_batch expected(layouts, 200);
    const unsigned one_null_in = round % 3 == 0 ? 0 : 1 + random() % 10;
    const unsigned one_kept_in = 1 + random() % 4;
    std::vector<std::vector<Cell>> left;
    const auto add = [&](std::uint32_t count, unsigned one_in) {
      std::vector<std::uint32_t> kept;
      const std::uint32_t before = batch.rows();
      for (std::uint32_t row = 0; row < before; ++row) kept.push_back(row);
      for (std::uint32_t row = before; row < before + count; ++row) {
        std::vector<Cell> cells;
        for (const Layout layout : layouts) {
          const std::size_t size = layout == Layout::bytes ? random() % 40 : width_of(layout);
          cells.emplace_back(random_bytes(random, size));
          if (one_null_in > 0 && random() % one_null_in == 0) cells.back().reset();
        }
        for (std::size_t i = 0; i < cells.size(); ++i) set(batch.columns()[i], row, cells[i]);
        if (random() % one_in != 0) continue;
        kept.push_back(row);
        left.push_back(cells);
      }
      batch.end_rows(count);
      batch.keep(kept);
    };
    add(random() % 100, one_kept_in);
    add(random() % 100, 1 + random() % 2);
    for (std::uint32_t row = 0; row < left.size(); ++row) {
      for (std::size_t i = 0; i < layouts.size(); ++i) {
        set(expected.columns()[i], row, left[row][i]);
      }
    }
    expected.end_rows(static_cast<std::uint32_t>(left.size()));
    ASSERT_EQ(batch.rows(), left.size());
    std::string written;
    std::string alone;
    batch.write({}, written);
    expected.write({}, alone);
    ASSERT_EQ(written, alone) << "round " << round;
  }
}

__int128 signed_number(const std::string &bytes) {
  unsigned __int128 number = 0;
  std::memcpy(&number, bytes.data(), bytes.size());
  const std::size_t beyond = 128 - 8 * bytes.size();
  return static_cast<__int128>(number << beyond) >> beyond;
}

// Whether a narrower layout would hold all of them.
bool fit_in_half(const std::vector<__int128> &numbers, Layout layout) {
  const std::size_t bits = 4 * width_of(layout);
  return std::ranges::all_of(numbers, [bits](__int128 number) {
    const __int128 beyond = number >> (bits - 1);
    return beyond == 0 || beyond == -1;
  });
}

// Numbers on both sides of each power of two come in the narrowest layout that holds a column.
TEST(ColumnBatch, NarrowsNumbers) {
  std::mt19937 engine(5);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  const std::vector<Layout> layouts{Layout::int8, Layout::int16, Layout::int32, Layout::int64,
                                    Layout::int128};
  Column_batch batch(layouts, 50);
  for (int round = 0; round < 3000; ++round) {
    batch.clear();
    const std::uint32_t rows = random() % 51;
    std::vector<std::vector<__int128>> numbers(layouts.size());
    std::vector<std::vector<bool>> nulls(layouts.size());
    for (std::size_t column = 0; column < layouts.size(); ++column) {
      const std::size_t bits = 8 * width_of(layouts[column]);
      const std::size_t most = random() % bits;
      for (std::uint32_t row = 0; row < rows; ++row) {
        nulls[column].push_back(random() % 5 == 0);
        const unsigned __int128 power = static_cast<unsigned __int128>(1) << random() % (most + 1);
        // The largest of a layout is one less than a power that it does not hold.
        const auto number = static_cast<__int128>(random() % 2 == 0 ? power - 1 : -power);
        numbers[column].push_back(nulls[column].back() ? 0 : number);
        std::string bytes(width_of(layouts[column]), '\0');
        std::memcpy(bytes.data(), &number, bytes.size());
        set(batch.columns()[column], row, nulls[column].back() ? Cell{} : Cell{bytes});
      }
    }
    batch.end_rows(rows);
    std::string written = random_bytes(random, random() % 3000);
    batch.write({}, written, round % 2 == 0 ? Batch_form::narrow : Batch_form::compressed);
    ASSERT_EQ(number_at<std::uint64_t>(written, 16), written.size());
    for (std::size_t column = 0; column < layouts.size(); ++column) {
      const auto layout = static_cast<Layout>(number_at<std::uint32_t>(written, 48 + 24 * column));
      ASSERT_LE(layout, layouts[column]);
      ASSERT_TRUE(layout == Layout::int8 || !fit_in_half(numbers[column], layout));
      const std::vector<Cell> cells = column_of(written, column);
      ASSERT_EQ(cells.size(), rows);
      for (std::uint32_t row = 0; row < rows; ++row) {
        ASSERT_EQ(cells[row].has_value(), !nulls[column][row]);
        if (!cells[row]) continue;
        ASSERT_TRUE(signed_number(*cells[row]) == numbers[column][row]);
      }
    }
  }
}

TEST(ColumnBatch, MayHaveNoColumns) {
  Column_batch batch({}, 10);
  batch.end_rows(7);
  std::string written;
  batch.write({}, written);
  EXPECT_EQ(written.size(), 48U);
  EXPECT_EQ(number_at<std::uint32_t>(written, 8), 7U);
}

}  // namespace
}  // namespace pq
