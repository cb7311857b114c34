#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "pure/seen_values.h"
#include "pure/weight_balance.h"

namespace pq {
namespace {

std::vector<double> bytes_of(const std::vector<Looked_at> &parts) {
  std::vector<double> bytes;
  for (const Looked_at &part : parts) bytes.push_back(part.bytes);
  return bytes;
}

TEST(SeenValues, EvensOutWhatFewValuesTell) {
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

TEST(SeenValues, DoubtsPartsBeforeOneWithMany) {
  std::vector<Looked_at> parts{{10, 0, 0}, {10, 0, 0},  {20, 40, 8'000}, {10, 0, 0},
                               {1, 0, 0},  {10, 9, 90}, {10, 0, 0},      {10, 4, 40}};
  doubt_beginnings(parts);
  EXPECT_EQ(bytes_of(parts), (std::vector<double>{0, 2'000, 8'000, 0, 0, 90, 0, 40}));
}

// 60 parts that saw nothing, and beside them ten that did, every second one.
TEST(SeenValues, SharesNothingWithALongRunOfNone) {
  std::vector<Looked_at> parts(60, {10, 0, 0});
  for (int i = 0; i < 10; ++i) parts.insert(parts.end(), {{10, 1, 400}, {10, 0, 0}});
  std::vector<Looked_at> turned(parts.rbegin(), parts.rend());
  even_out(parts);
  even_out(turned);
  for (std::size_t i = 0; i < 60; ++i) {
    ASSERT_EQ(parts[i].bytes, 0) << i;
    ASSERT_EQ(turned[turned.size() - 1 - i].bytes, 0) << i;
  }
  for (std::size_t i = 60; i < parts.size(); ++i) ASSERT_NEAR(parts[i].bytes, 200, 15) << i;
}

// There are so few that each has to count.
TEST(SeenValues, SharesNothingWithALongRunBesideTwo) {
  std::vector<Looked_at> parts(60, {10, 0, 0});
  parts.insert(parts.end(), {{10, 3, 300}, {10, 2, 200}});
  even_out(parts);
  for (std::size_t i = 0; i < 60; ++i) ASSERT_EQ(parts[i].bytes, 0) << i;
  EXPECT_EQ(parts[60].bytes + parts[61].bytes, 500);
}

// Some parts, of which one page in ten is looked at, and whose rows from `first` to `last` have
// values at random.
class Random_parts final {
 public:
  Random_parts(std::mt19937_64 &random, std::size_t first, std::size_t last, double per_page) {
    std::poisson_distribution<int> values(per_page);
    for (std::size_t part = 0; part < parts; ++part) {
      const bool has_values = part >= first && part < last;
      std::array<double, pages> found{};
      if (has_values) std::ranges::generate(found, [&] { return values(random); });
      m_truth.push_back(std::accumulate(found.begin(), found.end(), in_index));
      m_seen.push_back({pages, found[0], pages * found[0]});
    }
  }

  // The largest of some ranges, by the mean one.
  [[nodiscard]] double largest(std::uint32_t ranges, bool evened_out) const {
    std::vector<Looked_at> seen = m_seen;
    if (evened_out) even_out(seen);
    std::vector<double> weights = bytes_of(seen);
    for (double &weight : weights) weight += in_index;
    const auto sums = sum_ranges(m_truth, choose_cuts_by_weight(weights, ranges));
    const double all = std::accumulate(m_truth.begin(), m_truth.end(), 0.0);
    return static_cast<double>(*std::ranges::max_element(sums)) * ranges / all;
  }

  static constexpr std::size_t parts = 1000;

 private:
  static constexpr std::size_t pages = 10;
  // Bytes of a part, by those of a value.
  static constexpr double in_index = 0.1;

  std::vector<double> m_truth;
  std::vector<Looked_at> m_seen;
};

double median_of_largest(std::size_t first, std::size_t last, double per_page, bool evened_out) {
  std::mt19937_64 random(17);
  std::vector<double> all;
  for (int round = 0; round < 51; ++round) {
    all.push_back(Random_parts(random, first, last, per_page).largest(10, evened_out));
  }
  std::ranges::nth_element(all, all.begin() + 25);
  return all[25];
}

TEST(SeenValues, StaysEvenWhereGiantsAreSeenByChance) {
  EXPECT_LT(median_of_largest(0, Random_parts::parts, 0.1, true), 1.25);
  EXPECT_GT(median_of_largest(0, Random_parts::parts, 0.1, false), 1.35);
}

// At the end, as in the newest rows of a growing table; at the beginning; and between.
TEST(SeenValues, StaysEvenWhereGiantsAreInOnePlace) {
  for (const double per_page : {0.3, 1.0, 2.0}) {
    EXPECT_LT(median_of_largest(900, 1000, per_page, true), 1.45) << per_page;
    EXPECT_LT(median_of_largest(0, 100, per_page, true), 1.45) << per_page;
    EXPECT_LT(median_of_largest(500, 600, per_page, true), 1.45) << per_page;
  }
}

}  // namespace
}  // namespace pq
