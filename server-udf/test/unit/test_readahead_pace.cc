#include <gtest/gtest.h>

#include "pure/readahead_pace.h"

namespace pq {
namespace {

constexpr std::uint32_t window = 256;

TEST(ReadaheadPace, LooksAtTwiceTheLeavesUpToTheWindow) {
  Readahead_pace pace;
  for (const std::uint32_t leaves : {32U, 64U, 128U, 256U, 256U, 256U}) {
    ASSERT_EQ(pace.leaves_wanted(window), leaves);
    pace.count_looked(leaves, leaves / 2, false);
    EXPECT_EQ(pace.leaves_wanted(window), 0U);
    pace.count_read(leaves / 2 - 1, 0);
    EXPECT_EQ(pace.leaves_wanted(window), 0U) << "the scan is not half way through";
    pace.count_read(1, 0);
  }
}

TEST(ReadaheadPace, RestsAfterOneLookAtResidentLeaves) {
  Readahead_pace pace;
  pace.count_looked(pace.leaves_wanted(window), 0, false);
  EXPECT_TRUE(pace.is_resting());
  for (int i = 0; i < 100'000; ++i) {
    pace.count_read(8, 0);
    ASSERT_EQ(pace.leaves_wanted(window), 0U);
  }
}

TEST(ReadaheadPace, OneAbsentLeafInThirtyTwoIsWorthIt) {
  Readahead_pace pace;
  pace.count_looked(32, 1, false);
  EXPECT_FALSE(pace.is_resting());
  pace.count_looked(64, 1, false);
  EXPECT_TRUE(pace.is_resting());
}

TEST(ReadaheadPace, WakesWhenTheScanMeetsAbsentLeaves) {
  Readahead_pace pace;
  pace.count_looked(256, 0, false);
  pace.count_read(8, 1);
  EXPECT_EQ(pace.leaves_wanted(window), 0U);
  pace.count_read(8, 1);
  EXPECT_EQ(pace.leaves_wanted(window), Readahead_pace::first_leaves);
}

TEST(ReadaheadPace, RareAbsentLeavesDoNotWakeIt) {
  Readahead_pace pace;
  pace.count_looked(256, 0, false);
  for (int i = 0; i < 1'000; ++i) {
    pace.count_read(256, 1);
    ASSERT_TRUE(pace.is_resting());
  }
}

TEST(ReadaheadPace, LooksNoMoreWhenTheRangeHasEnded) {
  Readahead_pace pace;
  pace.count_looked(10, 10, true);
  pace.count_read(10, 0);
  EXPECT_EQ(pace.leaves_wanted(window), 0U);
}

TEST(ReadaheadPace, FollowsTheWindow) {
  Readahead_pace pace;
  EXPECT_EQ(pace.leaves_wanted(0), 0U);
  EXPECT_EQ(pace.leaves_wanted(7), 7U);
  for (int i = 0; i < 100; ++i) {
    pace.count_looked(7, 7, false);
    pace.count_read(7, 0);
    ASSERT_EQ(pace.leaves_wanted(7), 7U);
  }
}

}  // namespace
}  // namespace pq
