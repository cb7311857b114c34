#include <gtest/gtest.h>

#include "pure/readahead_request.h"
#include "pure/reply.h"

namespace pq {
namespace {

Result<Readahead_request> read(const Argument &options) {
  return read_readahead_request(std::string_view("s"), std::string_view("t"), std::string_view("i"),
                                options);
}

TEST(ReadaheadRequest, ReadsAll) {
  const auto request = read(
      std::string_view(R"({"partition": "p0", "lower": ["1", null], "upper": ["2"], "pages": 7})"));
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->target.schema, "s");
  EXPECT_EQ(request->target.table, "t");
  EXPECT_EQ(request->target.index, "i");
  EXPECT_EQ(request->target.partition, "p0");
  EXPECT_EQ(request->lower, (std::vector<Written_value>{"1", std::nullopt}));
  EXPECT_EQ(request->upper, (std::vector<Written_value>{"2"}));
  EXPECT_EQ(request->pages, 7U);
}

TEST(ReadaheadRequest, NeedsNoOptions) {
  const auto request = read(std::monostate());
  ASSERT_TRUE(request);
  EXPECT_TRUE(request->lower.empty());
  EXPECT_EQ(request->pages, max_readahead_pages);
}

TEST(ReadaheadRequest, RefusesWhatBreaksARule) {
  for (const std::string_view options :
       {R"({"pages": 0})", R"({"pages": -1})", R"({"pages": 2147483648})", R"({"pages": "7"})",
        R"({"pages": 1.5})", R"({"count": 7})", R"({"lower": []})", "[]", "7", "x"}) {
    const auto request = read(options);
    ASSERT_FALSE(request) << options;
    EXPECT_EQ(request.error().code, Code::bad_argument);
  }
}

TEST(ReadaheadReply, SaysWhyItStopped) {
  EXPECT_EQ(write_readahead_reply({7, 9, Readahead_stop::range_ended}, 1000),
            R"({"protocol": 1, "pages_asked": 7, "pages_resident": 9, "stopped": null})");
  EXPECT_EQ(write_readahead_reply({0, 0, Readahead_stop::pool_share}, 1000),
            R"({"protocol": 1, "pages_asked": 0, "pages_resident": 0, "stopped": "pool_share"})");
  EXPECT_FALSE(write_readahead_reply({}, 10));
}

}  // namespace
}  // namespace pq
