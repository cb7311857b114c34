#include <gtest/gtest.h>

#include "pure/bounded_text.h"
#include "pure/fingerprint.h"
#include "pure/json_reader.h"
#include "pure/readable_key.h"
#include "pure/reply.h"

namespace pq {
namespace {

Range_reply sample_reply() {
  Range_reply reply;
  reply.target = {"s", "t\"\\\n", "PRIMARY", std::nullopt};
  reply.clustered = true;
  reply.definition = "d";
  reply.columns = {
      {"id", "bigint", Key_kind::signed_integer, false, false, false, {}, {}, {}, 8, 1},
      {"c", "varchar", Key_kind::text, false, true, true, "utf8mb4", "utf8mb4_bin", 10, 40, 1}};
  reply.count_requested = 3;
  reply.level = 1;
  reply.pages_read = 2;
  reply.boundaries = {{"-6", std::nullopt}, {"7", "6162"}};
  reply.sizes = {2, {10, 20, 30}, {1, 2, 3}, {}, {}};
  return reply;
}

TEST(Reply, WritesEveryField) {
  EXPECT_EQ(write_range_reply(sample_reply(), 10000),
            R"({"protocol": 1, "schema": "s", "table": "t\"\\\u000a", "partition": null, )"
            R"("index": "PRIMARY", "clustered": true, "definition": "d", "columns": [)"
            R"({"name": "id", "type": "bigint", "encoding": "integer", "unsigned": false, )"
            R"("nullable": false, "descending": false, "charset": null, )"
            R"("collation": null, "prefix": null}, )"
            R"({"name": "c", "type": "varchar", "encoding": "text", "unsigned": false, )"
            R"("nullable": true, "descending": true, "charset": "utf8mb4", )"
            R"("collation": "utf8mb4_bin", "prefix": 10}], )"
            R"("count_requested": 3, "count_clamped": false, "level": 1, "pages_read": 2, )"
            R"("boundaries": [["-6", null], ["7", "6162"]], )"
            R"("height": 2, "rows": [10, 20, 30], "pages": [1, 2, 3]})");
}

TEST(Reply, SaysHowFarMembersGo) {
  auto reply = sample_reply();
  reply.columns[0].is_listed = true;
  const auto text = write_range_reply(reply, 10000);
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->contains(R"("prefix": null, "listed_up_to": "18446744073709551615"})"))
      << *text;
  EXPECT_TRUE(text->contains(R"("prefix": 10}])")) << *text;
}

TEST(Reply, WritesBytesThatWereWeighed) {
  auto reply = sample_reply();
  reply.sizes->bytes = {7, 8, 9};
  reply.sizes->off_page_bytes = {0, 8, 1};
  const auto text = write_range_reply(reply, 10000);
  ASSERT_TRUE(text);
  EXPECT_TRUE(
      text->ends_with(R"("pages": [1, 2, 3], "bytes": [7, 8, 9], "off_page_bytes": [0, 8, 1]})"))
      << *text;
}

TEST(Reply, HidesSizes) {
  auto reply = sample_reply();
  reply.sizes.reset();
  const auto text = write_range_reply(reply, 10000);
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->ends_with(R"("height": null, "rows": null, "pages": null})")) << *text;
}

TEST(Reply, IsJsonOrTooLarge) {
  const auto whole = write_range_reply(sample_reply(), 10000);
  ASSERT_TRUE(whole);
  EXPECT_TRUE(read_json(*whole)) << read_json(*whole).error().message;
  EXPECT_EQ(write_range_reply(sample_reply(), whole->size()), whole);
  for (std::size_t bytes = 0; bytes < whole->size(); ++bytes) {
    const auto text = write_range_reply(sample_reply(), bytes);
    ASSERT_FALSE(text) << bytes;
    ASSERT_EQ(text.error().code, Code::too_large);
  }
}

TEST(Reply, WritesVersion) {
  EXPECT_EQ(write_version_reply({"0.1.0", "9.7.4", true, 4096, {"a", "b"}, {"c"}}, 1000),
            R"({"extension": "0.1.0", "protocol": 1, "server_version": "9.7.4", "enabled": true, )"
            R"("max_ranges": 4096, "functions": ["a", "b"], "features": ["c"]})");
}

TEST(Reply, WritesDefinition) {
  EXPECT_EQ(write_definition_reply("ab", 1000), R"({"protocol": 1, "definition": "ab"})");
}

TEST(BoundedText, NeverHoldsMoreThanItsLimit) {
  Bounded_text text(5);
  text << "abc" << 12;
  EXPECT_FALSE(text.overflowed());
  text << "x"
       << "y";
  EXPECT_TRUE(text.overflowed());
  EXPECT_EQ(std::move(text).take(), "abc12");
}

TEST(BoundedText, WritesLimitsOfNumbers) {
  Bounded_text text(100);
  text << INT64_MIN << "," << UINT64_MAX << "," << true << "," << false;
  EXPECT_EQ(std::move(text).take(), "-9223372036854775808,18446744073709551615,true,false");
}

TEST(ReadableKey, IsForPeople) {
  auto columns = sample_reply().columns;
  EXPECT_EQ(write_readable_key(columns, {"-6", "6162"}), "-6, 'ab'");
  EXPECT_EQ(write_readable_key(columns, {"7", std::nullopt}), "7, NULL");
  EXPECT_EQ(write_readable_key(columns, {"7", "ff"}), "7, 0xff");
  columns[1].charset = "latin1";
  EXPECT_EQ(write_readable_key(columns, {"7", "6162"}), "7, 0x6162");
  columns[1].kind = Key_kind::binary;
  EXPECT_EQ(write_readable_key(columns, {"7", "6162"}), "7, 0x6162");
  columns[1].kind = Key_kind::datetime;
  EXPECT_EQ(write_readable_key(columns, {"7", "2026-11-21 15:00:00"}), "7, 2026-11-21 15:00:00");
}

TEST(Fingerprint, IsFnv1a) {
  // The empty input's hash is the offset basis; this pins the constants.
  EXPECT_EQ(Fingerprint().text(), "6c62272e07bb014262b821756295c58d");
}

TEST(Fingerprint, TellsListsApart) {
  const auto of = [](const std::vector<std::string> &facts) {
    Fingerprint fingerprint;
    for (const std::string &fact : facts) fingerprint.add(std::string_view(fact));
    return fingerprint.text();
  };
  EXPECT_EQ(of({"ab", "c"}), of({"ab", "c"}));
  EXPECT_NE(of({"ab", "c"}), of({"a", "bc"}));
  EXPECT_NE(of({"ab"}), of({"ab", ""}));
  EXPECT_NE(of({"a", "b"}), of({"b", "a"}));
}

TEST(Fingerprint, TellsNumbersApart) {
  Fingerprint one;
  Fingerprint other;
  one.add(1);
  other.add(256);
  EXPECT_NE(one.text(), other.text());
}

}  // namespace
}  // namespace pq
