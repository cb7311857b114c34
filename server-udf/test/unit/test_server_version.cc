#include <gtest/gtest.h>

#include "pure/server_version.h"

namespace pq {

TEST(ServerVersion, SameText) {
  EXPECT_TRUE(is_built_for("9.7.4.0-2", "9.7.4.0-2"));
  EXPECT_TRUE(is_built_for("8.4.3", "8.4.3"));
}

// Updates, a distribution's patches and forks have the release's number and perhaps other layouts.
TEST(ServerVersion, OtherBuildOfTheRelease) {
  EXPECT_FALSE(is_built_for("9.7.4.0", "9.7.4.1"));
  EXPECT_FALSE(is_built_for("9.7.4.1", "9.7.4.10"));
  EXPECT_FALSE(is_built_for("9.7.4.0-2", "9.7.4.0-3"));
  EXPECT_FALSE(is_built_for("9.7.4.0-2", "9.7.4.0"));
  EXPECT_FALSE(is_built_for("8.4.3", "8.4.3-3"));
  EXPECT_FALSE(is_built_for("8.4.3", "8.4.3-commercial"));
}

TEST(ServerVersion, AssertionsAndSanitizers) {
  EXPECT_TRUE(is_built_for("9.7.4.0-2", "9.7.4.0-2-debug"));
  EXPECT_TRUE(is_built_for("9.7.4.0", "9.7.4.0-debug-asan-ubsan"));
  EXPECT_FALSE(is_built_for("9.7.4.0", "9.7.4.0-debug-3"));
  EXPECT_FALSE(is_built_for("9.7.4.0", "9.7.4.0-debugged"));
}

}  // namespace pq
