#include <gtest/gtest.h>

#include "pure/json_reader.h"

namespace pq {
namespace {

TEST(JsonReader, ReadsEachKind) {
  const auto json = read_json(R"( {"a": null, "b": [true, false, -1.5e+3], "c": "x"} )");
  ASSERT_TRUE(json) << json.error().message;
  ASSERT_EQ(json->names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(json->items[0].kind, Json::Kind::null);
  const Json &list = json->items[1];
  ASSERT_EQ(list.items.size(), 3U);
  EXPECT_TRUE(list.items[0].boolean);
  EXPECT_FALSE(list.items[1].boolean);
  EXPECT_EQ(list.items[1].kind, Json::Kind::boolean);
  EXPECT_EQ(list.items[2].text, "-1.5e+3");
  EXPECT_EQ(json->items[2].text, "x");
}

TEST(JsonReader, DecodesEscapes) {
  const auto json = read_json(R"("\"\\\/\b\f\n\r\t\u0041\u00e4\uD83D\uDE00")");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json->text, "\"\\/\b\f\n\r\tA\xC3\xA4\xF0\x9F\x98\x80");
}

TEST(JsonReader, KeepsZeroCharacter) {
  const auto json = read_json(R"("a\u0000b")");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->text, std::string("a\0b", 3));
}

class MalformedJson : public testing::TestWithParam<const char *> {};

TEST_P(MalformedJson, IsRefused) {
  const auto json = read_json(GetParam());
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error().code, Code::bad_argument);
  EXPECT_TRUE(json.error().message.starts_with("options: "));
}

INSTANTIATE_TEST_SUITE_P(All, MalformedJson,
                         testing::Values("", " ", "{", "}", "[", "[1", "[1,", "[1,]", "[,1]",
                                         "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}",
                                         "{'a':1}", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN",
                                         "nul", "tru", "truee", "null null", "\"", "\"a", "\"\\",
                                         "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\uD800\"",
                                         "\"\\uD800\\u0041\"", "\"\\uDC00\"", "\"a\nb\"",
                                         "{\"a\":1,\"a\":2}", "\"\xFF\"", "\xEF\xBB\xBF{}"));

TEST(JsonReader, RefusesTooDeepText) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + "1" + std::string(depth, ']');
  };
  EXPECT_TRUE(read_json(nested(max_json_depth)));
  EXPECT_FALSE(read_json(nested(max_json_depth + 1)));
}

TEST(JsonReader, RefusesTooLongText) {
  const std::string text = "\"" + std::string(max_json_bytes, 'x') + "\"";
  EXPECT_FALSE(read_json(text));
}

TEST(JsonReader, SurvivesEachTruncation) {
  const std::string_view text = R"({"lower": ["12", null, "\u00e4"], "leaf": true})";
  ASSERT_TRUE(read_json(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(read_json(text.substr(0, size))) << size;
  }
}

TEST(Json, BoundsItsValues) {
  std::string text = "[0";
  for (unsigned i = 2; i < max_json_values; ++i) text += ",0";
  EXPECT_TRUE(read_json(text + "]", 1 << 20));
  const auto more = read_json(text + ",0]", 1 << 20);
  ASSERT_FALSE(more);
  EXPECT_TRUE(more.error().message.contains("too many values"));
}

}  // namespace
}  // namespace pq
