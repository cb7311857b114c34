#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "pure/weight_balance.h"

namespace pq {
namespace {

TEST(WeightBalance, CutsByWeight) {
  EXPECT_EQ(choose_cuts_by_weight({1, 1, 1, 1, 1, 1}, 3), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(choose_cuts_by_weight({1, 1, 1, 1, 96, 100}, 2), (std::vector<std::size_t>{4}));
  EXPECT_EQ(choose_cuts_by_weight({5}, 4), (std::vector<std::size_t>{}));
  EXPECT_EQ(choose_cuts_by_weight({0, 0, 0, 0, 0, 0}, 3), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(choose_cuts_by_weight({}, 3), (std::vector<std::size_t>{}));
  EXPECT_EQ(choose_cuts_by_weight({1, 2, 3}, 1), (std::vector<std::size_t>{}));
}

// One part weighs more than a range should: it is a range by itself, and those behind it are not
// cut to make up for it.
TEST(WeightBalance, CutsNoFinerBehindAHeavyPart) {
  EXPECT_EQ(choose_cuts_by_weight({1, 100, 1, 1}, 4), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(choose_cuts_by_weight({150, 1, 1, 1, 1, 25, 25}, 4), (std::vector<std::size_t>{0, 3}));
}

// The law: cuts ascend strictly and leave the last part, and no range weighs more than an even
// share and its two largest parts. Where no part weighs more than a share there are as many ranges
// as were asked for, and none is empty; else there are fewer by no more than the shares that heavy
// parts take.
TEST(WeightBalance, StaysEvenForRandomWeights) {
  std::mt19937_64 random(13);
  int light = 0;
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
    const double share = total / count;
    ASSERT_LE(static_cast<double>(*std::ranges::max_element(ranges)), share + 2 * largest);
    if (total <= 0) continue;
    double taken = 0;
    for (const double weight : weights) taken += std::floor(weight / share);
    ASSERT_GE(static_cast<double>(ranges.size()) + taken, count);
    if (largest > share) continue;
    ++light;
    ASSERT_EQ(ranges.size(), count);
    ASSERT_GT(*std::ranges::min_element(ranges), 0U);
  }
  ASSERT_GT(light, 500);
}

TEST(WeightBalance, ChoosesTheHeaviest) {
  EXPECT_EQ(choose_heaviest({{1, 2}, {9, 2}, {5, 2}, {7, 0}}, 5),
            (std::vector<bool>{false, true, true, false}));
  EXPECT_EQ(choose_heaviest({{1, 2}, {9, 20}, {5, 2}}, 5), (std::vector<bool>(3)));
  EXPECT_EQ(choose_heaviest({{3, 1}, {3, 1}, {3, 1}}, 2), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(choose_heaviest({{3, 1}}, -7), (std::vector<bool>{false}));
  EXPECT_TRUE(choose_heaviest({}, 10).empty());
}

}  // namespace
}  // namespace pq
