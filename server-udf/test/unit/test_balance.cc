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

// The law: cuts ascend strictly, all units are in some range, and no range is more than one stride off.
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

TEST(Balance, CutsByWeight) {
  EXPECT_EQ(choose_cuts_by_weight({1, 1, 1, 1, 1, 1}, 3), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(choose_cuts_by_weight({1, 1, 1, 1, 96, 100}, 2), (std::vector<std::size_t>{4}));
  // One part weighs more than a range should: it is a range by itself.
  EXPECT_EQ(choose_cuts_by_weight({1, 100, 1, 1}, 4), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(choose_cuts_by_weight({5}, 4), (std::vector<std::size_t>{}));
  EXPECT_EQ(choose_cuts_by_weight({0, 0, 0, 0, 0, 0}, 3), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(choose_cuts_by_weight({}, 3), (std::vector<std::size_t>{}));
  EXPECT_EQ(choose_cuts_by_weight({1, 2, 3}, 1), (std::vector<std::size_t>{}));
}

std::vector<double> bytes_of(const std::vector<Looked_at> &parts) {
  std::vector<double> bytes;
  for (const Looked_at &part : parts) bytes.push_back(part.bytes);
  return bytes;
}

TEST(Balance, EvensOutWhatFewValuesTell) {
  std::vector<Looked_at> few{{10, 0, 0}, {10, 1, 500}, {10, 0, 0}, {20, 0, 0}};
  even_out(few);
  EXPECT_EQ(bytes_of(few), (std::vector<double>{100, 100, 100, 200}));
  // Where a page tells enough, its weight stays where it is.
  std::vector<Looked_at> end{{10, 0, 0},        {10, 2, 60}, {10, 0, 0},
                             {10, 300, 90'000}, {10, 0, 0},  {10, 9, 900}};
  even_out(end);
  EXPECT_EQ(bytes_of(end), (std::vector<double>{20, 20, 20, 90'000, 0, 900}));
  std::vector<Looked_at> none;
  even_out(none);
  EXPECT_TRUE(none.empty());
}

// Giants at random, of which one page in ten tells.
TEST(Balance, StaysEvenWhereGiantsAreSeenByChance) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> truth;
    std::vector<Looked_at> seen;
    for (int part = 0; part < 1000; ++part) {
      double giants = 0;
      double on_first = 0;
      for (int page = 0; page < 10; ++page) {
        const double here = random() % 10 == 0 ? 1 : 0;
        giants += here;
        if (page == 0) on_first = here;
      }
      truth.push_back(giants);
      seen.push_back({10, on_first, 10 * on_first});
    }
    even_out(seen);
    const auto cuts = choose_cuts_by_weight(bytes_of(seen), 10);
    const auto ranges = sum_ranges(truth, cuts);
    const double mean = std::accumulate(truth.begin(), truth.end(), 0.0) / 10;
    ASSERT_LE(static_cast<double>(*std::ranges::max_element(ranges)), 1.9 * mean);
  }
}

// The law: cuts ascend strictly and leave the last part, and no range weighs more than an even share and its two largest parts.
TEST(Balance, StaysEvenForRandomWeights) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 5000; ++round) {
    std::vector<double> weights(1 + random() % 500);
    for (double &weight : weights) {
      weight = static_cast<double>(random() % 100 == 0 ? random() % 1000 : random() % 10);
    }
    const auto count = static_cast<std::uint32_t>(1 + random() % 60);
    const auto cuts = choose_cuts_by_weight(weights, count);
    ASSERT_LT(cuts.size(), count);
    ASSERT_TRUE(std::ranges::is_sorted(cuts, std::less_equal()));
    ASSERT_TRUE(cuts.empty() || cuts.back() + 1 < weights.size());
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    const auto ranges = sum_ranges(weights, cuts);
    ASSERT_EQ(ranges.size(), cuts.size() + 1);
    ASSERT_EQ(static_cast<double>(std::accumulate(ranges.begin(), ranges.end(), std::uint64_t{0})),
              total);
    const double largest = *std::ranges::max_element(weights);
    ASSERT_LE(static_cast<double>(*std::ranges::max_element(ranges)), total / count + 2 * largest);
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
