#include <gtest/gtest.h>

#include <limits>

#include "pure/member_texts.h"

namespace pq {
namespace {

TEST(MemberTexts, OfNone) {
  EXPECT_TRUE(Member_texts().empty());
  EXPECT_EQ(Member_texts().longest(), 0U);
}

TEST(MemberTexts, OfEnum) {
  const auto texts = Member_texts::of_enum({"a", "", "xyz"});
  std::string scratch;
  EXPECT_FALSE(texts.empty());
  EXPECT_FALSE(texts.is_set());
  EXPECT_EQ(texts.last_number(), 3U);
  EXPECT_EQ(texts.longest(), 3U);
  EXPECT_EQ(texts.text(1, scratch), "a");
  EXPECT_EQ(texts.text(2, scratch), "");
  EXPECT_EQ(texts.text(3, scratch), "xyz");
  for (const std::uint64_t other : {std::uint64_t{0}, std::uint64_t{4}, ~std::uint64_t{0}}) {
    EXPECT_EQ(texts.text(other, scratch), "");
    EXPECT_NE(texts.text(other, scratch).data(), nullptr) << "which would be NULL";
  }
}

TEST(MemberTexts, CopiesShareTheTexts) {
  const auto texts = Member_texts::of_enum({std::string(1000, 'a'), "b"});
  const Member_texts copy = texts;
  std::string scratch;
  EXPECT_EQ(copy.text(1, scratch).data(), texts.text(1, scratch).data());
  EXPECT_GE(texts.memory(), 1001U);
  EXPECT_LT(texts.memory(), 1500U);
  EXPECT_EQ(Member_texts().memory(), 0U);
}

TEST(MemberTexts, OfSet) {
  const auto texts = Member_texts::of_set({"", "b", "cd"});
  std::string scratch;
  EXPECT_TRUE(texts.is_set());
  EXPECT_EQ(texts.last_number(), 7U);
  EXPECT_GE(texts.longest(), std::string(",b,cd").size());
  EXPECT_EQ(texts.text(0, scratch), "");
  EXPECT_EQ(texts.text(1, scratch), "");
  EXPECT_EQ(texts.text(3, scratch), "b");
  EXPECT_EQ(texts.text(6, scratch), "b,cd");
  EXPECT_EQ(texts.text(7, scratch), "b,cd");
  EXPECT_EQ(texts.text(8 | 4, scratch), "cd") << "a bit without a member";
}

TEST(MemberTexts, OfLargestSet) {
  const auto texts = Member_texts::of_set(std::vector<std::string>(64, "m"));
  std::string scratch;
  EXPECT_EQ(texts.last_number(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(texts.text(texts.last_number(), scratch).size(), 127U);
  EXPECT_EQ(texts.text(std::uint64_t{1} << 63, scratch), "m");
}

}  // namespace
}  // namespace pq
