#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "pure/hex.h"
#include "pure/key_codec.h"

namespace pq {
namespace {

Key_column number_column(Key_kind kind, std::uint32_t bytes) {
  Key_column column;
  column.name = "c";
  column.kind = kind;
  column.max_bytes = bytes;
  return column;
}

Key_column decimal_column(std::uint8_t precision, std::uint8_t scale) {
  Key_column column = number_column(Key_kind::decimal, 0);
  column.precision = precision;
  column.scale = scale;
  return column;
}

std::string encoded_hex(const Key_column &column, std::string_view written) {
  const auto stored = encode_key(column, written);
  return stored ? to_hex(*stored) : "refused";
}

std::string decoded(const Key_column &column, std::string_view hex) {
  const auto value = decode_key(column, *from_hex(hex));
  if (!value) {
    EXPECT_EQ(value.error().code, Code::unusable_table) << hex;
  }
  return value.value_or("refused");
}

TEST(MemberCodec, KeepsToTheColumnsValues) {
  auto members = number_column(Key_kind::unsigned_integer, 1);
  members.greatest = 5;
  EXPECT_EQ(encoded_hex(members, "5"), "05");
  EXPECT_EQ(encoded_hex(members, "6"), "refused");
  EXPECT_EQ(decoded(members, "06"), "refused");
  EXPECT_TRUE(encode_key(members, "6").error().message.contains("from 0 to 5"));
}

TEST(RowIdCodec, HasSixBytes) {
  const auto row_id = number_column(Key_kind::unsigned_integer, 6);
  EXPECT_EQ(encoded_hex(row_id, "0"), "000000000000");
  EXPECT_EQ(encoded_hex(row_id, "281474976710655"), "ffffffffffff");
  EXPECT_EQ(decoded(row_id, "000000000201"), "513");
  for (const char *value : {"281474976710656", "-1", "00", ""}) {
    EXPECT_EQ(encoded_hex(row_id, value), "refused") << value;
  }
  EXPECT_EQ(decoded(row_id, "0000000201"), "refused");
  EXPECT_EQ(decoded(row_id, "00000000000201"), "refused");
}

TEST(YearCodec, CountsFrom1900ButFor0) {
  const auto column = number_column(Key_kind::year, 1);
  EXPECT_EQ(decoded(column, "00"), "0");
  EXPECT_EQ(decoded(column, "01"), "1901");
  EXPECT_EQ(decoded(column, "ff"), "2155");
  for (const char *value : {"0", "1901", "2155"}) {
    EXPECT_EQ(decoded(column, encoded_hex(column, value)), value);
  }
  for (const char *value : {"1900", "2156", "1", "-1", "70", "0000", ""}) {
    EXPECT_EQ(encoded_hex(column, value), "refused") << value;
  }
  EXPECT_EQ(decoded(column, "0000"), "refused");
}

// The bytes of the example in strings/decimal.cc.
TEST(DecimalCodec, StoresAsMysql) {
  EXPECT_EQ(encoded_hex(decimal_column(14, 4), "1234567890.1234"), "810dfb38d204d2");
  EXPECT_EQ(encoded_hex(decimal_column(14, 4), "-1234567890.1234"), "7ef204c72dfb2d");
  EXPECT_EQ(decoded(decimal_column(14, 4), "7ef204c72dfb2d"), "-1234567890.1234");
}

TEST(DecimalCodec, KeepsEveryShape) {
  std::mt19937_64 random(7);
  for (std::uint8_t precision = 1; precision <= 65; ++precision) {
    for (std::uint8_t scale = 0; scale <= std::min<std::uint8_t>(precision, 30); ++scale) {
      const auto column = decimal_column(precision, scale);
      std::string whole;
      for (int i = scale; i < precision; ++i) whole += static_cast<char>('0' + random() % 10);
      whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
      std::string value = whole.empty() ? "0" : whole;
      for (int i = 0; i < scale; ++i) {
        value += (i == 0 ? "." : "") + std::to_string(1 + random() % 9);
      }
      for (const std::string &sign : {std::string(), std::string(value == "0" ? "" : "-")}) {
        const auto stored = encode_key(column, sign + value);
        ASSERT_TRUE(stored) << int{precision} << "," << int{scale} << ": " << sign + value;
        EXPECT_EQ(decode_key(column, *stored), sign + value);
        EXPECT_FALSE(decode_key(column, *stored + '\0'));
        EXPECT_FALSE(decode_key(column, stored->substr(1)));
      }
    }
  }
}

TEST(DecimalCodec, OrdersBytesAsNumbers) {
  std::mt19937 random(7);
  const auto column = decimal_column(12, 2);
  const auto draw = [&] { return static_cast<int>(random() % 200001) - 100000; };
  const auto write = [](int cents) {
    const std::string fraction = std::to_string(100 + std::abs(cents) % 100).substr(1);
    return (cents < 0 ? "-" : "") + std::to_string(std::abs(cents) / 100) + "." + fraction;
  };
  for (int i = 0; i < 1000; ++i) {
    const int a = draw();
    const int b = draw();
    EXPECT_EQ(*encode_key(column, write(a)) < *encode_key(column, write(b)), a < b);
  }
}

TEST(DecimalCodec, RefusesWhatDoesNotFit) {
  auto column = decimal_column(4, 2);
  for (const char *value : {"100.00", "1", "1.0", "1.000", "01.00", "-0.00", ".50", "+1.00", "1,00",
                            "1.0a", "a.00", "-", "", "1e1", "--1.00", "1..0", "-.50"}) {
    EXPECT_EQ(encoded_hex(column, value), "refused") << value;
  }
  column.is_unsigned = true;
  EXPECT_EQ(encoded_hex(column, "-1.00"), "refused");
  EXPECT_EQ(encoded_hex(decimal_column(2, 2), "0.50"), "b2");
  EXPECT_EQ(encoded_hex(decimal_column(2, 2), "1.50"), "refused");
  // 100 in a group of two digits.
  EXPECT_EQ(decoded(decimal_column(2, 0), "e4"), "refused");
  EXPECT_EQ(decoded(decimal_column(2, 0), ""), "refused");
  EXPECT_EQ(decoded(decimal_column(2, 0), "7f"), "0");
}

TEST(DoubleCodec, KeepsEveryValue) {
  const auto column = number_column(Key_kind::double_number, 8);
  std::mt19937_64 random(7);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t bits = random();
    const double value = std::bit_cast<double>(bits);
    std::string stored(8, '\0');
    std::memcpy(stored.data(), &bits, 8);
    const auto written = decode_key(column, stored);
    EXPECT_EQ(written.has_value(), std::isfinite(value));
    if (written) {
      EXPECT_EQ(encode_key(column, *written), stored) << *written;
    }
  }
}

TEST(DoubleCodec, WritesAnExponentAlways) {
  const auto column = number_column(Key_kind::double_number, 8);
  EXPECT_EQ(decoded(column, encoded_hex(column, "1")), "1e+00");
  EXPECT_EQ(decoded(column, encoded_hex(column, "-0.5")), "-5e-01");
  EXPECT_EQ(decoded(column, encoded_hex(column, "5e-324")), "5e-324");
  EXPECT_EQ(decoded(column, "0000000000000080"), "0e+00");
}

TEST(DoubleCodec, RefusesWhatDoesNotFit) {
  auto column = number_column(Key_kind::double_number, 8);
  for (const char *value :
       {"", "nan", "inf", "-inf", "1e999", "0x10", " 1", "1 ", "+1", "1e", "x"}) {
    EXPECT_EQ(encoded_hex(column, value), "refused") << value;
  }
  column.is_unsigned = true;
  EXPECT_EQ(encoded_hex(column, "-1"), "refused");
  for (const char *hex : {"", "00000000", "000000000000f07f", "000000000000f8ff"}) {
    EXPECT_EQ(decoded(column, hex), "refused") << hex;
  }
}

TEST(FloatCodec, KeepsEveryValue) {
  const auto column = number_column(Key_kind::float_number, 4);
  std::mt19937 random(7);
  for (int i = 0; i < 10000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    std::string stored(4, '\0');
    std::memcpy(stored.data(), &bits, 4);
    const auto written = decode_key(column, stored);
    EXPECT_EQ(written.has_value(), std::isfinite(std::bit_cast<float>(bits)));
    if (written) {
      EXPECT_EQ(encode_key(column, *written), stored) << *written;
    }
  }
}

TEST(FloatCodec, RefusesWhatFloatDoesNotHold) {
  const auto column = number_column(Key_kind::float_number, 4);
  EXPECT_EQ(encoded_hex(column, "0.5"), "0000003f");
  for (const char *value : {"0.1", "1e39", "-3.5e38", "1e-50", "16777217"}) {
    EXPECT_EQ(encoded_hex(column, value), "refused") << value;
  }
}

TEST(BinaryCodec, KeepsAllBytes) {
  const auto variable = number_column(Key_kind::binary, 3);
  const auto fixed = number_column(Key_kind::padded_binary, 3);
  EXPECT_EQ(decoded(variable, "6120"), "6120");
  EXPECT_EQ(encoded_hex(variable, "6120"), "6120");
  EXPECT_EQ(encoded_hex(variable, "61202020"), "refused");
  EXPECT_EQ(decoded(fixed, "610000"), "610000");
  EXPECT_EQ(decoded(fixed, "6100"), "refused");
  EXPECT_EQ(encoded_hex(fixed, "610000"), "610000");
  EXPECT_EQ(encoded_hex(fixed, "6100"), "refused");
}

}  // namespace
}  // namespace pq
