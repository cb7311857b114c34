#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pure/like_pattern.h"

namespace pq {

namespace {

using Symbols = std::vector<std::string>;

// All sequences of at most so many of these symbols.
std::vector<Symbols> sequences(const Symbols &symbols, std::size_t most) {
  std::vector<Symbols> all{{}};
  for (std::size_t done = 0; done < all.size(); ++done) {
    if (all[done].size() == most) continue;
    for (const std::string &symbol : symbols) {
      all.push_back(all[done]);
      all.back().push_back(symbol);
    }
  }
  return all;
}

std::string text(const Symbols &symbols) {
  std::string all;
  for (const std::string &symbol : symbols) all += symbol;
  return all;
}

// By the definition of LIKE, character by character.
bool is_like(std::span<const std::string> text, std::span<const std::string> pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == "%") {
    return is_like(text, pattern.subspan(1)) ||
           (!text.empty() && is_like(text.subspan(1), pattern));
  }
  return !text.empty() && (pattern[0] == "_" || pattern[0] == text[0]) &&
         is_like(text.subspan(1), pattern.subspan(1));
}

}  // namespace

TEST(LikePattern, MatchesWhatTheDefinitionMatches) {
  const std::vector<Symbols> texts = sequences({"a", "b", "é"}, 5);
  for (const Symbols &pattern : sequences({"a", "é", "%", "_"}, 5)) {
    const auto parsed = Like_pattern::parse(text(pattern), "");
    ASSERT_TRUE(parsed.has_value());
    for (const Symbols &symbols : texts) {
      ASSERT_EQ(parsed->matches(text(symbols)), is_like(symbols, pattern))
          << text(symbols) << " LIKE " << text(pattern);
    }
  }
}

TEST(LikePattern, FindsALiteralThatBeginsSeveralTimes) {
  const auto pattern = Like_pattern::parse("%aab%aac%", "");
  ASSERT_TRUE(pattern.has_value());
  EXPECT_TRUE(pattern->matches("aaab aaaac"));
  EXPECT_TRUE(pattern->matches("aabaac"));
  EXPECT_FALSE(pattern->matches("aaac aaab"));
  EXPECT_FALSE(pattern->matches("aab aa"));
}

TEST(LikePattern, TakesEscapedCharactersForThemselves) {
  const auto pattern = Like_pattern::parse("a!%!_!!%", "!");
  ASSERT_TRUE(pattern.has_value());
  EXPECT_TRUE(pattern->matches("a%_!"));
  EXPECT_TRUE(pattern->matches("a%_!b"));
  EXPECT_FALSE(pattern->matches("ab_!"));
  EXPECT_FALSE(Like_pattern::parse("a!", "!").has_value());
  EXPECT_FALSE(Like_pattern::parse("!a", "!").has_value());
}

}  // namespace pq
