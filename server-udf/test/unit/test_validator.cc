#include "pure/validator.h"

#include <gtest/gtest.h>

#include <string>

namespace pq {

namespace {

const std::string origin = "00112233445566778899aabbccddeeff";

TEST(Validator, IsReadAsItWasWritten) {
  for (const Validator &one :
       {Validator{origin, 0, {0, 0}, 0, 0}, Validator{origin, 1, {2, 3}, 4, 5},
        Validator{origin, UINT64_MAX, {UINT64_MAX, UINT64_MAX}, UINT32_MAX, UINT64_MAX}}) {
    const auto read = read_validator(write_validator(one));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read, one);
  }
}

TEST(Validator, RefusesOtherTexts) {
  const std::string good = write_validator({origin, 1, {2, 3}, 4, 5});
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_validator(good.substr(0, size)).has_value()) << size;
  }
  for (const std::string &bad :
       {good + "-", good + "-6", good + " ", " " + good, origin + "--1-2-3-4-5",
        origin + "-1-2-3-4294967296-5", origin + "-1-2-3-4-18446744073709551616",
        origin + "-1-2-3--4-5", origin + "-+1-2-3-4-5", origin + "-01-2-3-4-5",
        std::string("00112233445566778899AABBCCDDEEFF-1-2-3-4-5")}) {
    EXPECT_FALSE(read_validator(bad).has_value()) << bad;
  }
}

TEST(ViewAge, OrdersViewsByTheirTime) {
  constexpr View_age older{10, 2};
  EXPECT_TRUE(older.is_before({11, 2}));
  EXPECT_TRUE(older.is_before({11, 5}));
  // Without a new transaction, those that are not seen only become fewer.
  EXPECT_TRUE(older.is_before({10, 1}));
  EXPECT_FALSE(older.is_before(older));
  EXPECT_FALSE(older.is_before({10, 3}));
  EXPECT_FALSE(older.is_before({9, 0}));
}

}  // namespace

}  // namespace pq
