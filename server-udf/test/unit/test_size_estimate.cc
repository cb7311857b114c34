#include <gtest/gtest.h>

#include "pure/size_estimate.h"

namespace pq {
namespace {

constexpr std::uint32_t page_bytes = 16384;

TEST(SizeEstimate, TakesLevelOneAsLeafPages) {
  const Unit_size size = estimate_unit({1000, 7}, {1, 10, 1, 10, false, 1, 10, 200, page_bytes});
  EXPECT_DOUBLE_EQ(size.pages, 1.0);
  EXPECT_DOUBLE_EQ(size.rows, 100.0);  // the stale 7 pages of the statistics do not count
}

TEST(SizeEstimate, SharesRowsOfWholeTreeInBounds) {
  const Unit_size size = estimate_unit({1000, 10}, {1, 10, 1, 3, true, 1, 10, 200, page_bytes});
  EXPECT_DOUBLE_EQ(size.pages, 1.0);
  EXPECT_DOUBLE_EQ(size.rows, 100.0);
}

TEST(SizeEstimate, UsesStatisticsAboveLevelOne) {
  // 100 pointers of 23 bytes: about 500 leaf pages below each.
  const Unit_size size =
      estimate_unit({5'000'000, 40'000}, {2, 100, 2, 100, false, 1, 100, 2300, page_bytes});
  EXPECT_DOUBLE_EQ(size.pages, 400.0);
  EXPECT_DOUBLE_EQ(size.rows, 50'000.0);
}

TEST(SizeEstimate, DistrustsImpossibleStatistics) {
  const Unit_size size =
      estimate_unit({5'000'000, 1}, {2, 100, 2, 100, false, 1, 100, 2300, page_bytes});
  EXPECT_GT(size.pages, 200.0);
  EXPECT_DOUBLE_EQ(size.rows, 50'000.0);
}

TEST(SizeEstimate, CountsRowsOnLeaves) {
  const Unit_size size = estimate_unit({999, 9}, {1, 2, 0, 50, false, 2, 50, 5000, page_bytes});
  EXPECT_DOUBLE_EQ(size.rows, 1.0);
  EXPECT_DOUBLE_EQ(size.pages, 0.04);
}

TEST(SizeEstimate, TakesRootLeafAsOnePage) {
  const Unit_size size = estimate_unit({12, 1}, {0, 12, 0, 1, false, 0, 0, 0, page_bytes});
  EXPECT_DOUBLE_EQ(size.pages, 1.0);
  EXPECT_DOUBLE_EQ(size.rows, 12.0);
}

TEST(SizeEstimate, SeesWhatIsKeptOffPage) {
  // On level 1 the number of leaves is known.
  EXPECT_FALSE(keeps_much_off_page({1000, 11}, {1, 10, 1, 10, false, 1, 10, 200, page_bytes}));
  EXPECT_TRUE(keeps_much_off_page({1000, 12}, {1, 10, 1, 10, false, 1, 10, 200, page_bytes}));
  // A root that is a leaf.
  EXPECT_FALSE(keeps_much_off_page({10, 1}, {0, 10, 0, 1, false, 1, 10, 200, page_bytes}));
  EXPECT_TRUE(keeps_much_off_page({10, 40}, {0, 10, 0, 1, false, 1, 10, 200, page_bytes}));
  // Pages filled in the order of their keys are no sign of it, on one level or two: 670 pointers of
  // 23 bytes on each.
  EXPECT_FALSE(
      keeps_much_off_page({7'000'000, 67'000}, {2, 100, 2, 100, false, 1, 100, 2300, page_bytes}));
  EXPECT_FALSE(
      keeps_much_off_page({90'000'000, 890'000}, {3, 2, 3, 2, false, 1, 2, 46, page_bytes}));
  EXPECT_FALSE(
      keeps_much_off_page({7'000'000, 67'000}, {2, 100, 2, 3, true, 1, 100, 2300, page_bytes}));
  // Rows tell nothing of the pages above them.
  EXPECT_FALSE(
      keeps_much_off_page({7'000'000, 67'000}, {2, 100, 0, 50, true, 1, 50, 5000, page_bytes}));
  // Nor are missing statistics.
  EXPECT_FALSE(keeps_much_off_page({0, 0}, {1, 10, 1, 10, false, 1, 10, 200, page_bytes}));
}

}  // namespace
}  // namespace pq
