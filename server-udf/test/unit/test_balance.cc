#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "pure/balance.h"

namespace pq {
namespace {

TEST(Balance, CutsEvenly) {
  EXPECT_EQ(choose_cuts({9, 1, 10}, 2), (std::vector<std::size_t>{4}));
  EXPECT_EQ(choose_cuts({9, 1, 10}, 5), (std::vector<std::size_t>{1, 3, 5, 7}));
  EXPECT_EQ(choose_cuts({9, 1, 10}, 1), (std::vector<std::size_t>{}));
}

TEST(Balance, GivesFewerRangesForSmallTrees) {
  EXPECT_EQ(choose_cuts({0, 1, 1}, 8).size(), 0U);
  EXPECT_EQ(choose_cuts({3, 1, 4}, 100), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(choose_cuts({3, 1, 4}, UINT32_MAX).size(), 3U);
}

TEST(Balance, MovesCutsToPlaces) {
  EXPECT_EQ(move_to_places({26}, {25}), (std::vector<std::size_t>{26}));
  EXPECT_EQ(move_to_places({60, 70, 80, 90}, {25, 50, 75}), (std::vector<std::size_t>{60, 80}));
  EXPECT_EQ(move_to_places({3, 10}, {4, 5, 6, 20}), (std::vector<std::size_t>{3, 10}));
  EXPECT_EQ(move_to_places({3, 10}, {3, 10}), (std::vector<std::size_t>{3, 10}));
  EXPECT_EQ(move_to_places({}, {1, 2}), (std::vector<std::size_t>{}));
  EXPECT_EQ(move_to_places({1, 2}, {}), (std::vector<std::size_t>{}));
}

TEST(Balance, CountsUnits) {
  EXPECT_EQ(units_per_range({4, 2, 9}, {0, 2}), (std::vector<std::uint64_t>{2, 4, 3}));
  EXPECT_EQ(units_per_range({0, 1, 1}, {}), (std::vector<std::uint64_t>{1}));
}

// The law: cuts ascend strictly, all units are in some range, and no range is more than one stride
// off.
TEST(Balance, StaysEvenForRandomSizes) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 5000; ++round) {
    const std::uint64_t stride = std::uint64_t{1} << random() % 8;
    const std::uint64_t units = 1 + random() % 100000;
    const std::size_t size = (units - 1) / stride;
    const auto count = static_cast<std::uint32_t>(1 + random() % 300);
    const Separators separators{size, stride, units};
    const auto cuts = choose_cuts(separators, count);
    ASSERT_LT(cuts.size(), count);
    ASSERT_TRUE(std::ranges::is_sorted(cuts, std::less_equal()));
    ASSERT_TRUE(cuts.empty() || cuts.back() < size);
    const auto ranges = units_per_range(separators, cuts);
    ASSERT_EQ(std::accumulate(ranges.begin(), ranges.end(), std::uint64_t{0}), units);
    if (size >= 2 * count) {
      ASSERT_EQ(cuts.size(), count - 1);
      ASSERT_LE(*std::ranges::max_element(ranges), units / count + 2 * stride);
    }
  }
}

TEST(Balance, DoesNotOverflow) {
  const auto cuts = choose_cuts({1000, std::uint64_t{1} << 50, std::uint64_t{1001} << 50}, 16384);
  EXPECT_EQ(cuts.size(), 1000U);
}

TEST(Balance, ScalesAndRounds) {
  EXPECT_EQ(scale({0, 1, 3}, 2.5), (std::vector<std::uint64_t>{0, 3, 8}));
  EXPECT_EQ(scale({UINT64_MAX}, 1e10), (std::vector<std::uint64_t>{1'000'000'000'000'000'000}));
  EXPECT_EQ(scale({5}, -1), (std::vector<std::uint64_t>{0}));
}

}  // namespace
}  // namespace pq
