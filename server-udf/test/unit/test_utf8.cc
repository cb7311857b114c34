#include <gtest/gtest.h>

#include "pure/utf8.h"

namespace pq {
namespace {

TEST(Utf8, CountsCharacters) {
  EXPECT_EQ(utf8_length(""), 0);
  EXPECT_EQ(utf8_length("abc"), 3);
  EXPECT_EQ(utf8_length("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"), 3);
}

TEST(Utf8, RefusesIllFormed) {
  for (const char *text :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xFF", "\xE2\x82", "\xE2\x28\xA1"}) {
    EXPECT_EQ(utf8_length(text), std::nullopt) << testing::PrintToString(text);
  }
}

TEST(Utf8, AppendsEachLength) {
  std::string text;
  for (const std::uint32_t code_point : {0x41U, 0xE4U, 0x20ACU, 0x1F600U})
    append_utf8(text, code_point);
  EXPECT_EQ(text, "A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST(Utf8, MakesTextPrintable) {
  EXPECT_EQ(printable("a\nb\xFF"), "a?b?");
  EXPECT_EQ(printable("\xC3\xA4\x7F"), "\xC3\xA4?");
  EXPECT_EQ(printable(std::string(63, 'x') + "\xC3\xA4"), std::string(63, 'x') + "...");
  EXPECT_EQ(printable(std::string(100, 'x')), std::string(64, 'x') + "...");
}

}  // namespace
}  // namespace pq
