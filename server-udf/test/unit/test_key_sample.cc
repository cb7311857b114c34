#include <gtest/gtest.h>

#include <random>

#include "pure/key_sample.h"

namespace pq {
namespace {

void offer(Key_sample &sample, const std::vector<std::optional<std::string>> &key) {
  const std::vector<Field_value> fields(key.begin(), key.end());
  sample.offer(fields);
}

TEST(KeySample, KeepsAllWhileThereIsRoom) {
  Key_sample sample(4, 100, 2);
  offer(sample, {"a", std::nullopt});
  offer(sample, {"", "b"});
  ASSERT_EQ(sample.size(), 2U);
  EXPECT_EQ(sample.field(0, 0), "a");
  EXPECT_EQ(sample.field(0, 1), std::nullopt);
  EXPECT_EQ(sample.field(1, 0), "");
  EXPECT_EQ(sample.field(1, 1), "b");
  EXPECT_EQ(sample.ordinal(1), 2U);
  EXPECT_EQ(sample.key(1), (Stored_key{"", "b"}));
  EXPECT_EQ(sample.key(0), (Stored_key{"a", std::nullopt}));
}

TEST(KeySample, DoublesTheStride) {
  Key_sample sample(4, 100, 1);
  for (int i = 1; i <= 5; ++i) offer(sample, {std::to_string(i)});
  EXPECT_EQ(sample.stride(), 2U);
  EXPECT_EQ(sample.size(), 2U);
  EXPECT_EQ(sample.field(0, 0), "2");
  EXPECT_EQ(sample.field(1, 0), "4");
  EXPECT_EQ(sample.offered(), 5U);
}

// Whatever is offered, each kept key is the one its ordinal says, they are evenly spaced, and at
// least half of the keys that would fit are kept.
TEST(KeySample, KeepsEvenlySpacedKeys) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t max_keys = 1 + random() % 40;
    const std::size_t room = 8 + random() % 400;
    const std::size_t offered = random() % 2000;
    Key_sample sample(max_keys, room, 2);
    for (std::size_t i = 1; i <= offered; ++i) {
      const std::string text = std::to_string(i);
      offer(sample, {text, i % 3 == 0 ? std::nullopt : std::optional<std::string>("xy")});
    }
    ASSERT_EQ(sample.offered(), offered);
    ASSERT_LE(sample.size(), max_keys);
    ASSERT_EQ(sample.size(), offered / sample.stride());
    for (std::size_t i = 0; i < sample.size(); ++i) {
      ASSERT_EQ(sample.field(i, 0), std::to_string(sample.ordinal(i)));
      ASSERT_EQ(sample.field(i, 1).has_value(), sample.ordinal(i) % 3 != 0);
    }
    if (offered >= max_keys && room >= max_keys * 6) {
      ASSERT_GE(sample.size(), max_keys / 2);
    }
  }
}

TEST(KeySample, PassesOverKeysLargerThanTheRoom) {
  Key_sample sample(4, 3, 1);
  offer(sample, {"long"});
  EXPECT_EQ(sample.size(), 0U);
  EXPECT_EQ(sample.offered(), 1U);
}

TEST(KeySample, CanBeCleared) {
  Key_sample sample(1, 10, 1);
  for (int i = 0; i < 9; ++i) offer(sample, {"k"});
  sample.clear();
  offer(sample, {"again"});
  EXPECT_EQ(sample.stride(), 1U);
  EXPECT_EQ(sample.field(0, 0), "again");
}

}  // namespace
}  // namespace pq
