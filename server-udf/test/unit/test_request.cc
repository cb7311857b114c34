#include <gtest/gtest.h>

#include "pure/request.h"
#include "pure/scan_request.h"

namespace pq {
namespace {

constexpr std::uint32_t limit = 4096;

Argument text(std::string_view value) { return value; }
Argument integer(std::int64_t value) { return value; }
const Argument sql_null;

Result<Range_request> read(const Argument &count, const Argument &options = sql_null) {
  return read_range_request(text("s"), text("t"), text("PRIMARY"), count, options, limit);
}

void expect_bad(const Result<Range_request> &request, std::string_view part) {
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().code, Code::bad_argument);
  EXPECT_TRUE(request.error().message.contains(part)) << request.error().message;
}

TEST(Request, ReadsTarget) {
  const auto request = read(integer(64));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->target.schema, "s");
  EXPECT_EQ(request->target.table, "t");
  EXPECT_EQ(request->target.index, "PRIMARY");
  EXPECT_EQ(request->target.partition, std::nullopt);
  EXPECT_EQ(request->count, 64U);
  EXPECT_FALSE(request->count_clamped());
  EXPECT_FALSE(request->leaf);
}

TEST(Request, ClampsCount) {
  for (const std::int64_t count : {std::int64_t{4097}, max_count}) {
    const auto request = read(integer(count));
    ASSERT_TRUE(request);
    EXPECT_EQ(request->count, limit);
    EXPECT_EQ(request->count_requested, count);
    EXPECT_TRUE(request->count_clamped());
  }
}

TEST(Request, ReadsCountFromText) {
  const auto request = read(text("17"));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->count, 17U);
}

TEST(Request, RefusesAbsurdCounts) {
  expect_bad(read(integer(0)), "count 0");
  expect_bad(read(integer(-1)), "count -1");
  expect_bad(read(integer(max_count + 1)), "count 2147483648");
  expect_bad(read(integer(INT64_MIN)), "1 to 2147483647");
  expect_bad(read(sql_null), "NULL");
  expect_bad(read(Other_type()), "integer");
  for (const char *count : {"", " 1", "1 ", "1.0", "0x1", "99999999999999999999", "+1"}) {
    expect_bad(read(text(count)), "integer");
  }
}

TEST(Request, RefusesBadIdentifiers) {
  const auto with_schema = [](const Argument &schema) {
    return read_range_request(schema, text("t"), text("i"), integer(1), sql_null, limit);
  };
  expect_bad(with_schema(sql_null), "schema must not be NULL");
  expect_bad(with_schema(integer(3)), "schema must be a string");
  expect_bad(with_schema(text("")), "1 to 64");
  expect_bad(with_schema(text(std::string(65, 'x'))), "1 to 64");
  expect_bad(with_schema(text("a\xFF")), "UTF-8");
  expect_bad(with_schema(text(std::string_view("a\0b", 3))), "zero byte");
}

TEST(Request, CountsCharactersNotBytes) {
  std::string name;
  for (int i = 0; i < 64; ++i) name += "\xE2\x82\xAC";
  EXPECT_TRUE(read_range_request(text("s"), text(name), text("i"), integer(1), sql_null, limit));
}

TEST(Request, ReadsOptions) {
  const auto request =
      read(integer(1),
           text(R"({"partition": "p0", "lower": ["1", null], "upper": ["2"], "leaf": true})"));
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->target.partition, "p0");
  EXPECT_EQ(request->lower, (std::vector<Written_value>{"1", std::nullopt}));
  EXPECT_EQ(request->upper, (std::vector<Written_value>{"2"}));
  EXPECT_TRUE(request->leaf);
}

TEST(Request, ReadsScan) {
  EXPECT_EQ(read(integer(1), text("{}"))->scan, nullptr);
  const auto request =
      read(integer(1), text(R"({"filters": [{"left": "a", "comparison": "<", "right": "b"}],
                                                 "columns": [["a", "int64"]], "leaf": true})"));
  ASSERT_TRUE(request) << request.error().message;
  ASSERT_NE(request->scan, nullptr);
  EXPECT_EQ(request->scan->columns.size(), 1U);
  EXPECT_EQ(request->scan->conditions.comparisons.size(), 1U);
  expect_bad(read(integer(1), text(R"({"filters": []})")), "options.columns");
  expect_bad(read(integer(1), text(R"({"columns": ["a"]})")), "options.columns");
  expect_bad(read(integer(1), text(R"({"columns": [], "filters": [1]})")), "options.filters");
}

TEST(Request, ReadsOffPageColumns) {
  EXPECT_TRUE(read(integer(1), text("{}"))->off_page.empty());
  const auto request = read(integer(1), text(R"({"off_page": ["a", "b\"c"]})"));
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->off_page, (std::vector<std::string>{"a", "b\"c"}));
  for (const char *options : {R"({"off_page": "a"})", R"({"off_page": []})", R"({"off_page": [1]})",
                              R"({"off_page": [""]})", R"({"off_page": null})"}) {
    expect_bad(read(integer(1), text(options)), "options.off_page");
  }
}

TEST(Request, RefusesBadOptions) {
  for (const char *options :
       {"[]", "null", "1", R"({"unknown": 1})", R"({"partition": 1})", R"({"partition": ""})",
        R"({"partition": "a\u0000"})", R"({"lower": []})", R"({"lower": "1"})", R"({"lower": [1]})",
        R"({"upper": [["1"]]})", R"({"leaf": 1})", R"({"leaf": null})", R"({"Leaf": true})",
        R"({"lower": ["1","1","1","1","1","1","1","1","1","1","1","1","1","1","1","1","1"]})"}) {
    expect_bad(read(integer(1), text(options)), "options");
  }
  expect_bad(read(integer(1), integer(1)), "JSON object");
}

TEST(Request, ReadsDefinitionTarget) {
  const auto target = read_target(text("s"), text("t"), text("i"), text("p"));
  ASSERT_TRUE(target);
  EXPECT_EQ(target->partition, "p");
  EXPECT_EQ(read_target(text("s"), text("t"), text("i"), sql_null)->partition, std::nullopt);
  EXPECT_FALSE(read_target(text("s"), text("t"), sql_null, sql_null));
  EXPECT_FALSE(read_target(text("s"), text("t"), text("i"), integer(1)));
}

}  // namespace
}  // namespace pq
