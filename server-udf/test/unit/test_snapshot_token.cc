#include <gtest/gtest.h>

#include "pure/snapshot_token.h"

namespace pq {
namespace {

constexpr const char *text = "000102030405060708090a0b0c0d0eff";

TEST(SnapshotToken, SurvivesBothWays) {
  const auto token = read_token(text);
  ASSERT_TRUE(token);
  EXPECT_EQ(token->bytes[1], 1);
  EXPECT_EQ(token->bytes[15], 0xFF);
  EXPECT_EQ(write_token(*token), text);
}

TEST(SnapshotToken, RefusesAllElse) {
  for (const char *wrong :
       {"", "00", "000102030405060708090A0B0C0D0EFF", "000102030405060708090a0b0c0d0ef",
        "000102030405060708090a0b0c0d0eff00", "000102030405060708090a0b0c0d0efg",
        " 00102030405060708090a0b0c0d0eff"}) {
    EXPECT_FALSE(read_token(wrong)) << wrong;
  }
}

TEST(SnapshotToken, ComparesEachByte) {
  const Snapshot_token token = *read_token(text);
  EXPECT_TRUE(same_token(token, *read_token(text)));
  for (std::size_t i = 0; i < token.bytes.size(); ++i) {
    Snapshot_token other = token;
    other.bytes[i] ^= 0x80;
    EXPECT_FALSE(same_token(token, other)) << i;
  }
}

}  // namespace
}  // namespace pq
