#include <gtest/gtest.h>

#include <random>

#include "pure/hex.h"
#include "pure/key_codec.h"

namespace pq {
namespace {

Key_column temporal_column(Key_kind kind, std::uint8_t scale = 0) {
  Key_column column;
  column.name = "c";
  column.type = "temporal";
  column.kind = kind;
  column.scale = scale;
  return column;
}

std::string encoded_hex(const Key_column &column, std::string_view written) {
  const auto stored = encode_key(column, written);
  if (!stored) {
    EXPECT_EQ(stored.error().code, Code::bad_argument) << written;
  }
  return stored ? to_hex(*stored) : "refused";
}

std::string decoded(const Key_column &column, std::string_view hex) {
  const auto value = decode_key(column, *from_hex(hex));
  if (!value) {
    EXPECT_EQ(value.error().code, Code::unusable_table) << hex;
  }
  return value.value_or("refused");
}

void expect_kept(const Key_column &column, const std::string &value) {
  const auto stored = encode_key(column, value);
  ASSERT_TRUE(stored) << value;
  EXPECT_EQ(decode_key(column, *stored), value);
}

// Whatever bytes are stored, what they are decoded to is stored as these bytes.
void expect_exact(const Key_column &column, std::size_t bytes) {
  std::mt19937 random(7);
  int values = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string stored(bytes, '\0');
    for (char &c : stored) c = static_cast<char>(random());
    // Most bytes are no value: keep the fraction small.
    for (std::size_t at = 5; at < bytes; ++at) stored[at] = static_cast<char>(random() % 2);
    const auto value = decode_key(column, stored);
    if (!value) continue;
    ++values;
    EXPECT_EQ(encode_key(column, *value), stored) << *value;
  }
  EXPECT_GT(values, 100) << int{column.scale};
}

TEST(DateCodec, StoresAsInnodb) {
  const auto column = temporal_column(Key_kind::date);
  EXPECT_EQ(encoded_hex(column, "2026-11-21"), "8fd575");
  for (const char *value : {"0000-00-00", "2020-00-00", "2020-02-31", "9999-12-31", "0000-01-01"}) {
    expect_kept(column, value);
  }
  expect_exact(column, 3);
}

TEST(DateCodec, RefusesWhatIsNoDate) {
  const auto column = temporal_column(Key_kind::date);
  for (const char *value : {"", "2020-1-1", "2020-13-01", "2020-01-32", "20200101", "2020-01-01 ",
                            "-020-01-01", "2020/01/01", "10000-01-01", "2020-01-01 00:00:00"}) {
    EXPECT_EQ(encoded_hex(column, value), "refused") << value;
  }
  for (const char *hex : {"", "8fd5", "8fd57500", "7fffff", "ffffff", "8001a0"}) {
    EXPECT_EQ(decoded(column, hex), "refused") << hex;
  }
}

TEST(TimeCodec, KeepsBothSigns) {
  for (std::uint8_t scale = 0; scale <= 6; ++scale) {
    const auto column = temporal_column(Key_kind::time, scale);
    const std::string fraction = scale == 0 ? "" : "." + std::string("987654").substr(0, scale);
    for (const char *value : {"00:00:00", "00:00:01", "23:59:59", "838:59:58"}) {
      expect_kept(column, value + fraction);
      if (scale > 0) expect_kept(column, "-" + (value + fraction));
    }
    expect_exact(column, 3U + (scale + 1U) / 2);
  }
  EXPECT_EQ(encoded_hex(temporal_column(Key_kind::time), "00:00:00"), "800000");
  EXPECT_EQ(encoded_hex(temporal_column(Key_kind::time, 2), "-00:00:00.01"), "7fffffff");
}

TEST(TimeCodec, OrdersBytesAsTimes) {
  const auto column = temporal_column(Key_kind::time, 1);
  const char *ascending[] = {"-838:59:59.0", "-00:00:01.1", "-00:00:01.0", "-00:00:00.9",
                             "00:00:00.0",   "00:00:00.1",  "100:00:00.0"};
  for (std::size_t i = 1; i < std::size(ascending); ++i) {
    EXPECT_LT(*encode_key(column, ascending[i - 1]), *encode_key(column, ascending[i]));
  }
}

TEST(TimeCodec, RefusesWhatIsNoTime) {
  const auto column = temporal_column(Key_kind::time, 1);
  for (const char *value :
       {"", "1:00:00.0", "00:60:00.0", "00:00:60.0", "839:00:00.0", "00:00:00", "00:00:00.00",
        "+00:00:00.0", "0000:00:00.0", "00:00:00.x", "--00:00:00.0"}) {
    EXPECT_EQ(encoded_hex(column, value), "refused") << value;
  }
  // A hundredth, which one digit cannot hold; an hour beyond the last; too few bytes.
  for (const char *hex : {"80000001",
                          "b47000"
                          "00",
                          "800000"}) {
    EXPECT_EQ(decoded(column, hex), "refused") << hex;
  }
}

TEST(DatetimeCodec, KeepsEveryPrecision) {
  for (std::uint8_t scale = 0; scale <= 6; ++scale) {
    const auto column = temporal_column(Key_kind::datetime, scale);
    const std::string fraction = scale == 0 ? "" : "." + std::string("123456").substr(0, scale);
    for (const char *value :
         {"0000-00-00 00:00:00", "2020-00-00 01:02:03", "9999-12-31 23:59:59"}) {
      expect_kept(column, value + fraction);
    }
    expect_exact(column, 5U + (scale + 1U) / 2);
  }
  EXPECT_EQ(encoded_hex(temporal_column(Key_kind::datetime), "2026-11-21 15:00:00"), "99bb6af000");
}

TEST(DatetimeCodec, RefusesWhatIsNoDatetime) {
  const auto column = temporal_column(Key_kind::datetime);
  for (const char *value : {"", "2020-01-01", "2020-01-01T00:00:00", "2020-01-01 24:00:00",
                            "2020-01-01 00:60:00", "2020-01-01 00:00:00.0", "2020-01-01 0:00:00"}) {
    EXPECT_EQ(encoded_hex(column, value), "refused") << value;
  }
  for (const char *hex : {"", "7fffffffff", "ffffffffff", "99bb6af03c", "99bb6af00000"}) {
    EXPECT_EQ(decoded(column, hex), "refused") << hex;
  }
}

TEST(TimestampCodec, IsUtc) {
  const auto column = temporal_column(Key_kind::timestamp, 3);
  EXPECT_EQ(encoded_hex(column, "1970-01-01 00:00:01.000"), "000000010000");
  EXPECT_EQ(encoded_hex(column, "2038-01-19 03:14:07.999"), "7fffffff2706");
  EXPECT_EQ(encoded_hex(column, "0000-00-00 00:00:00.000"), "000000000000");
  expect_kept(column, "2024-02-29 23:59:59.500");
  for (std::uint8_t scale = 0; scale <= 6; ++scale) {
    expect_exact(temporal_column(Key_kind::timestamp, scale), 4U + (scale + 1U) / 2);
  }
}

TEST(TimestampCodec, RefusesWhatIsNoTimestamp) {
  const auto column = temporal_column(Key_kind::timestamp);
  for (const char *value :
       {"1970-01-01 00:00:00", "1969-12-31 23:59:59", "2038-01-19 03:14:08", "2023-02-29 00:00:00",
        "2020-00-00 00:00:00", "0000-00-00 00:00:01", "2020-01-01 24:00:00", "2020-01-01", ""}) {
    EXPECT_EQ(encoded_hex(column, value), "refused") << value;
  }
  for (const char *hex : {"", "000001", "80000000", "0000000000"}) {
    EXPECT_EQ(decoded(column, hex), "refused") << hex;
  }
}

}  // namespace
}  // namespace pq
