#include "pure/validation.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace pq {

namespace {

const std::string validator = "00112233445566778899aabbccddeeff-1-2-3-4-5";

Argument text(const std::string &written) { return Argument(std::string_view(written)); }

TEST(Validation, IsNothingWithoutAnArgument) {
  const auto read = read_validation(Argument());
  ASSERT_TRUE(read.has_value());
  EXPECT_FALSE(read->has_value());
}

TEST(Validation, IsOfTheWholeRange) {
  const auto wanted = read_validation(text(""));
  ASSERT_TRUE(wanted.has_value() && wanted->has_value());
  EXPECT_FALSE((*wanted)->by_pieces);
  EXPECT_TRUE((*wanted)->known.empty());
  const auto known = read_validation(text(validator));
  ASSERT_TRUE(known.has_value() && known->has_value());
  EXPECT_FALSE((*known)->by_pieces);
  ASSERT_EQ((*known)->known.size(), 1U);
  EXPECT_EQ(write_validator(*(*known)->known[0].validator), validator);
  EXPECT_TRUE((*known)->known[0].end.empty());
}

TEST(Validation, IsOfPieces) {
  const std::string written = R"({"piece_rows": 7, "after": ["3", null], "pieces": [[")" +
                              validator + R"(", ["5", "x"]], ["", null]]})";
  const auto read = read_validation(text(written));
  ASSERT_TRUE(read.has_value() && read->has_value());
  const Validation &validation = **read;
  EXPECT_TRUE(validation.by_pieces);
  EXPECT_EQ(validation.piece_rows, 7U);
  EXPECT_EQ(validation.after, (std::vector<Written_value>{"3", std::nullopt}));
  ASSERT_EQ(validation.known.size(), 2U);
  EXPECT_EQ(write_validator(*validation.known[0].validator), validator);
  EXPECT_EQ(validation.known[0].end, (std::vector<Written_value>{"5", "x"}));
  EXPECT_FALSE(validation.known[1].validator.has_value());
  EXPECT_TRUE(validation.known[1].end.empty());
}

TEST(Validation, MayKnowNothingOfPieces) {
  const auto read = read_validation(text("{}"));
  ASSERT_TRUE(read.has_value() && read->has_value());
  EXPECT_TRUE((*read)->by_pieces);
  EXPECT_EQ((*read)->piece_rows, 0U);
  EXPECT_TRUE((*read)->known.empty());
}

TEST(Validation, RefusesOtherArguments) {
  for (const char *written :
       {"x", "[]", "{", R"({"rows": 1})", R"({"piece_rows": 0})", R"({"piece_rows": "1"})",
        R"({"piece_rows": 16777217})", R"({"after": []})", R"({"after": null})", R"({"pieces": 1})",
        R"({"pieces": [["", ["1"]]]})", R"({"pieces": [["", null], ["", null]]})",
        R"({"pieces": [[""]]})", R"({"pieces": [[null, null]]})", R"({"pieces": [["x", null]]})",
        R"({"pieces": [["", "1"]]})", R"({"pieces": [["", null]], "pieces": []})"}) {
    EXPECT_FALSE(read_validation(text(written)).has_value()) << written;
  }
  EXPECT_FALSE(read_validation(Argument(std::int64_t{1})).has_value());
}

TEST(Validation, HasSoManyPiecesAtMost) {
  const auto written = [](std::size_t pieces) {
    std::string all = R"({"pieces": [)";
    for (std::size_t i = 1; i < pieces; ++i) all += R"(["", ["1"]], )";
    return all + R"(["", null]]})";
  };
  EXPECT_TRUE(read_validation(text(written(max_known_pieces))).has_value());
  EXPECT_FALSE(read_validation(text(written(max_known_pieces + 1))).has_value());
}

}  // namespace

}  // namespace pq
