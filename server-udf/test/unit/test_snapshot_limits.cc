#include <gtest/gtest.h>

#include "pure/snapshot_limits.h"

namespace pq {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(SnapshotLimits, NamesAgeAndItsVariable) {
  const Snapshot_limits limits{seconds(60), 0};
  EXPECT_EQ(passed_limit({milliseconds(59'999), 1'000'000}, limits), "");
  const std::string passed = passed_limit({milliseconds(60'000), 0}, limits);
  EXPECT_NE(passed.find("mysql_pq_snapshot_max_age = 60"), std::string::npos) << passed;
}

TEST(SnapshotLimits, NamesHistoryAndItsVariable) {
  const Snapshot_limits limits{seconds(60), 100};
  EXPECT_EQ(passed_limit({milliseconds(0), 100}, limits), "");
  const std::string passed = passed_limit({milliseconds(0), 101}, limits);
  EXPECT_NE(passed.find("mysql_pq_max_history_length = 100"), std::string::npos) << passed;
}

}  // namespace
}  // namespace pq
