#include <gtest/gtest.h>

#include <random>

#include "pure/hex.h"
#include "pure/key_codec.h"

namespace pq {
namespace {

Key_column integer_column(Key_kind kind, std::uint32_t bytes) {
  Key_column column;
  column.name = "c";
  column.type = "int";
  column.kind = kind;
  column.max_bytes = bytes;
  return column;
}

Key_column text_column(Key_kind kind, std::uint32_t max_bytes, std::uint8_t space_bytes = 1) {
  Key_column column = integer_column(kind, max_bytes);
  column.space_bytes = space_bytes;
  return column;
}

std::string encoded_hex(const Key_column &column, std::string_view written) {
  const auto stored = encode_key(column, written);
  return stored ? to_hex(*stored) : "refused";
}

// The smallest and largest value of n bytes.
std::string lowest(std::uint32_t bytes) {
  return std::to_string(bytes == 8 ? INT64_MIN : -(std::int64_t{1} << (8 * bytes - 1)));
}
std::string highest(std::uint32_t bytes) {
  return std::to_string(bytes == 8 ? INT64_MAX : (std::int64_t{1} << (8 * bytes - 1)) - 1);
}
std::string highest_unsigned(std::uint32_t bytes) {
  return std::to_string(bytes == 8 ? UINT64_MAX : (std::uint64_t{1} << (8 * bytes)) - 1);
}

class IntegerCodec : public testing::TestWithParam<std::uint32_t> {};

TEST_P(IntegerCodec, KeepsLimits) {
  const auto column = integer_column(Key_kind::signed_integer, GetParam());
  for (const std::string &value : {lowest(GetParam()), std::string("-1"), std::string("0"),
                                   std::string("1"), highest(GetParam())}) {
    const auto stored = encode_key(column, value);
    ASSERT_TRUE(stored) << value;
    EXPECT_EQ(stored->size(), GetParam());
    EXPECT_EQ(decode_key(column, *stored), value);
  }
  const auto unsigned_column = integer_column(Key_kind::unsigned_integer, GetParam());
  for (const std::string &value : {std::string("0"), highest_unsigned(GetParam())}) {
    const auto stored = encode_key(unsigned_column, value);
    ASSERT_TRUE(stored) << value;
    EXPECT_EQ(decode_key(unsigned_column, *stored), value);
  }
}

TEST_P(IntegerCodec, OrdersBytesAsNumbers) {
  std::mt19937_64 random(GetParam());
  const auto column = integer_column(Key_kind::signed_integer, GetParam());
  for (int i = 0; i < 1000; ++i) {
    const unsigned shift = 64 - 8 * GetParam();
    const auto a = static_cast<std::int64_t>(random()) >> shift;
    const auto b = static_cast<std::int64_t>(random()) >> shift;
    EXPECT_EQ(*encode_key(column, std::to_string(a)) < *encode_key(column, std::to_string(b)),
              a < b);
  }
}

INSTANTIATE_TEST_SUITE_P(AllWidths, IntegerCodec, testing::Values(1U, 2U, 3U, 4U, 8U));

TEST(IntegerCodec, StoresAsInnodb) {
  EXPECT_EQ(encoded_hex(integer_column(Key_kind::signed_integer, 4), "1"), "80000001");
  EXPECT_EQ(encoded_hex(integer_column(Key_kind::signed_integer, 4), "-1"), "7fffffff");
  EXPECT_EQ(encoded_hex(integer_column(Key_kind::unsigned_integer, 3), "258"), "000102");
}

TEST(IntegerCodec, RefusesWhatDoesNotFit) {
  const auto tiny = integer_column(Key_kind::signed_integer, 1);
  const auto tiny_unsigned = integer_column(Key_kind::unsigned_integer, 1);
  for (const char *value : {"128", "-129", "", "-", "+1", " 1", "1 ", "01", "-0", "1.0", "1e1", "x",
                            "99999999999999999999"}) {
    EXPECT_FALSE(encode_key(tiny, value)) << value;
    EXPECT_FALSE(encode_key(tiny_unsigned, std::string("-") + value)) << value;
  }
  EXPECT_FALSE(encode_key(tiny_unsigned, "256"));
  EXPECT_FALSE(encode_key(integer_column(Key_kind::signed_integer, 8), "9223372036854775808"));
  EXPECT_FALSE(encode_key(integer_column(Key_kind::unsigned_integer, 8), "18446744073709551616"));
}

TEST(IntegerCodec, RefusesStoredBytesOfWrongLength) {
  const auto column = integer_column(Key_kind::signed_integer, 4);
  for (const std::size_t size : {0U, 3U, 5U, 9U}) {
    const auto value = decode_key(column, std::string(size, '\0'));
    ASSERT_FALSE(value) << size;
    EXPECT_EQ(value.error().code, Code::unusable_table);
  }
}

TEST(TextCodec, WritesHex) {
  const auto column = text_column(Key_kind::text, 8);
  EXPECT_EQ(decode_key(column, "aB \xFF"), "614220ff");
  EXPECT_EQ(encode_key(column, "614220FF"), "aB \xFF");
  EXPECT_EQ(decode_key(column, ""), "");
  EXPECT_EQ(encode_key(column, ""), "");
}

TEST(TextCodec, RefusesBadHexAndTooLong) {
  const auto column = text_column(Key_kind::text, 2);
  for (const char *value : {"6", "6g", "616161", "0x61", " 61"}) {
    EXPECT_FALSE(encode_key(column, value)) << value;
  }
  EXPECT_FALSE(encode_key(text_column(Key_kind::text, 8, 2), "616161"));
  EXPECT_FALSE(decode_key(column, "abc"));
}

TEST(TextCodec, DropsPaddingOfChar) {
  EXPECT_EQ(decode_key(text_column(Key_kind::padded_text, 8), "a  "), "61");
  EXPECT_EQ(decode_key(text_column(Key_kind::text, 8), "a  "), "612020");
  EXPECT_EQ(decode_key(text_column(Key_kind::padded_text, 8, 2), std::string_view("\0a\0 \0 ", 6)),
            "0061");
  // A space byte that is half of another character stays.
  EXPECT_EQ(decode_key(text_column(Key_kind::padded_text, 8, 2), std::string_view("\x61\x20", 2)),
            "6120");
}

TEST(Codec, KnowsNoUnsupportedKind) {
  const auto column = integer_column(Key_kind::unsupported, 4);
  EXPECT_EQ(encoding_of(Key_kind::unsupported), std::nullopt);
  EXPECT_EQ(decode_key(column, "abcd").error().code, Code::unsupported_key);
  EXPECT_EQ(encode_key(column, "1").error().code, Code::unsupported_key);
}

TEST(Hex, ReadsBothCases) {
  EXPECT_EQ(from_hex("aAfF09"), "\xAA\xFF\x09");
  EXPECT_EQ(from_hex("a"), std::nullopt);
  EXPECT_EQ(from_hex("0/"), std::nullopt);
  EXPECT_EQ(from_hex("0:"), std::nullopt);
}

}  // namespace
}  // namespace pq
