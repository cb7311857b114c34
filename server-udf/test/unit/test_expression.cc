#include "pure/expression.h"

#include <gtest/gtest.h>

#include <string>

#include "pure/program.h"

namespace pq {
namespace {

Result<Wanted_expression> read(const std::string &text) {
  const auto json = read_json(text);
  EXPECT_TRUE(json) << text;
  std::size_t nodes = 0;
  return read_expression(*json, nodes);
}

void expect_bad(const std::string &text, std::string_view rule) {
  const auto expression = read(text);
  ASSERT_FALSE(expression) << text;
  EXPECT_EQ(expression.error().code, Code::bad_argument);
  EXPECT_TRUE(expression.error().message.contains(rule)) << expression.error().message;
}

TEST(Expression, IsRead) {
  const auto read_all = read(R"(["if", ["like", ["column", "t"], "a!%", "!"],
            ["within", ["+", ["integer", "-170141183460469231731687303715884105728"],
                             ["add_months", ["column", "d"], "-3"]], "-5", "7"],
            ["length", ["substring", ["text", "abc"], "-2", "1"]]])");
  ASSERT_TRUE(read_all) << read_all.error().message;
  EXPECT_EQ(read_all->op, Operator::choose);
  ASSERT_EQ(read_all->operands.size(), 3U);
  EXPECT_EQ(read_all->operands[0].texts, (std::vector<std::string>{"a!%", "!"}));
  const Wanted_expression &within = read_all->operands[1];
  EXPECT_TRUE(within.numbers == (std::vector<__int128>{-5, 7}));
  EXPECT_TRUE(within.operands[0].operands[0].numbers.front() == int128_min);
  EXPECT_TRUE(within.operands[0].operands[1].numbers.front() == -3);
  const Wanted_expression &part = read_all->operands[2].operands[0];
  EXPECT_EQ(part.op, Operator::substring);
  EXPECT_TRUE(part.numbers == (std::vector<__int128>{-2, 1}));
}

TEST(Expression, IsRefusedInAnotherForm) {
  expect_bad("{}", "begins with the name");
  expect_bad("[]", "begins with the name");
  expect_bad("[1]", "begins with the name");
  expect_bad(R"([["column", "a"]])", "begins with the name");
  expect_bad(R"(["plus", ["column", "a"]])", "no operator 'plus'");
  expect_bad(R"(["+", ["column", "a"]])", "operands of '+'");
  expect_bad(R"(["not", ["column", "a"], ["column", "b"]])", "operands of 'not'");
  expect_bad(R"(["column", ["column", "a"]])", "strings");
  expect_bad(R"(["column", ""])", "column");
  expect_bad(R"(["integer", 1])", "strings");
  for (const std::string number : {"", "-", "1.5", "+1", " 1", "1e3", "0x1"}) {
    expect_bad(R"(["integer", ")" + number + R"("])", "128 bits");
  }
  expect_bad(R"(["integer", "170141183460469231731687303715884105728"])", "128 bits");
  expect_bad(R"(["integer", "-170141183460469231731687303715884105729"])", "128 bits");
  expect_bad(R"(["within", ["column", "a"], "2", "1"])", "low end");
  expect_bad(R"(["add_months", ["column", "a"], "1000001"])", "1000000 months");
  expect_bad(R"(["substring", ["column", "a"], "2147483648"])", "2147483647");
  expect_bad(R"(["text", ")" + std::string(max_constant_bytes + 1, 'x') + R"("])", "4096 bytes");
  expect_bad(R"(["like", ["column", "a"], ")" + std::string(max_pattern_bytes + 1, '%') + R"("])",
             "256 bytes");
  expect_bad(R"(["like", ["column", "a"], "a", "ab"])", "one character");
  expect_bad(R"(["like", ["column", "a"], "a", ""])", "one character");
}

TEST(Expression, HasAMostNumberOfOperators) {
  std::size_t nodes = 0;
  std::string text = R"(["and")";
  for (std::size_t i = 0; i < max_expression_nodes / 2; ++i) {
    text += R"(, ["is_null", ["column", "a"]])";
  }
  EXPECT_FALSE(read_expression(*read_json(text + "]"), nodes));
}

Result<Program::Input> find_input(const std::string &name) {
  if (name == "t") return Program::Input{Program::Kind::text, Layout::bytes, {}};
  if (name == "f") {
    return Program::Input{Program::Kind::floating, Layout::int64, {INT64_MIN, INT64_MAX}};
  }
  if (name == "d")
    return Program::Input{Program::Kind::integer, Layout::int32, {-719'162, 2'932'896}};
  return Program::Input{Program::Kind::integer, Layout::int64, {INT64_MIN, INT64_MAX}};
}

Result<Program> compile(const std::string &text) {
  const auto expression = read(text);
  EXPECT_TRUE(expression) << text;
  return Program::compile({*expression}, find_input);
}

void expect_uncompiled(const std::string &text, std::string_view rule) {
  const auto program = compile(text);
  ASSERT_FALSE(program) << text;
  EXPECT_EQ(program.error().code, Code::bad_argument);
  EXPECT_TRUE(program.error().message.contains(rule)) << program.error().message;
}

TEST(Program, RefusesOperandsOfAnotherKind) {
  expect_uncompiled(R"(["+", ["column", "t"], ["integer", "1"]])", "integers");
  expect_uncompiled(R"(["+", ["is_null", ["column", "t"]], ["integer", "1"]])", "integers");
  expect_uncompiled(R"(["within", ["column", "t"], "0", "1"])", "integer");
  expect_uncompiled(R"(["=", ["column", "t"], ["column", "a"]])", "texts with texts");
  expect_uncompiled(R"(["and", ["column", "a"], ["column", "a"]])", "truth values");
  expect_uncompiled(R"(["not", ["column", "a"]])", "truth values");
  expect_uncompiled(R"(["if", ["column", "a"], ["column", "a"], ["column", "a"]])", "condition");
  expect_uncompiled(R"(["if", ["is_null", ["column", "a"]], ["column", "a"], ["column", "t"]])",
                    "one kind");
  expect_uncompiled(R"(["coalesce", ["column", "a"], ["column", "t"]])", "one kind");
  expect_uncompiled(R"(["+", ["column", "f"], ["column", "f"]])", "integers");
  expect_uncompiled(R"(["=", ["column", "f"], ["column", "f"]])", "floating numbers");
  expect_uncompiled(R"(["<", ["column", "a"], ["column", "f"]])", "floating numbers");
  expect_uncompiled(R"(["coalesce", ["column", "f"], ["column", "a"]])", "one kind");
  EXPECT_TRUE(compile(R"(["coalesce", ["column", "f"], ["column", "f"]])"));
  expect_uncompiled(R"(["year", ["column", "a"]])", "days");
  expect_uncompiled(R"(["year", ["column", "t"]])", "days");
  expect_uncompiled(R"(["length", ["column", "a"]])", "texts");
  expect_uncompiled(R"(["like", ["column", "t"], "a!b", "!"])", "escape");
  expect_uncompiled(R"(["like", ["column", "t"], "a!", "!"])", "escape");
  const std::string like = R"(["like", ["column", "t"], ")" + std::string(250, '%') + R"("])";
  EXPECT_TRUE(compile(R"(["or", )" + like + "," + like + "," + like + "," + like + "]"));
  expect_uncompiled(R"(["or", )" + like + "," + like + "," + like + "," + like + "," + like + "]",
                    "1024 bytes");
}

TEST(Program, KnowsWhichLayoutsHoldAllValues) {
  const auto fits = [](const std::string &text, Layout layout) {
    const auto program = compile(text);
    EXPECT_TRUE(program) << text;
    return program->check_layout(0, layout).has_value();
  };
  EXPECT_TRUE(fits(R"(["month", ["column", "d"]])", Layout::int8));
  EXPECT_TRUE(fits(R"(["year", ["column", "d"]])", Layout::int16));
  EXPECT_FALSE(fits(R"(["year", ["column", "d"]])", Layout::int8));
  EXPECT_TRUE(fits(R"(["column", "a"])", Layout::int64));
  EXPECT_FALSE(fits(R"(["+", ["column", "a"], ["integer", "1"]])", Layout::int64));
  EXPECT_TRUE(fits(R"(["*", ["column", "a"], ["column", "a"]])", Layout::int128));
  EXPECT_TRUE(
      fits(R"(["within", ["*", ["column", "a"], ["column", "a"]], "-5", "127"])", Layout::int8));
  EXPECT_TRUE(fits(R"(["modulo", ["column", "a"], ["integer", "7"]])", Layout::int8));
  EXPECT_TRUE(fits(R"(["is_null", ["column", "t"]])", Layout::int8));
  EXPECT_FALSE(fits(R"(["is_null", ["column", "t"]])", Layout::bytes));
  EXPECT_TRUE(fits(R"(["substring", ["column", "t"], "1"])", Layout::bytes));
  EXPECT_FALSE(fits(R"(["column", "t"])", Layout::int64));
  EXPECT_FALSE(fits(R"(["column", "f"])", Layout::int64));
  EXPECT_TRUE(fits(R"(["is_null", ["column", "f"]])", Layout::int8));
}

TEST(Program, HasNoValueWhereAColumnHasNone) {
  const auto program = compile(R"(["year", ["column", "d"]])");
  ASSERT_TRUE(program);
  Program::Values values(*program, 2);
  Column_batch batch({Layout::int32}, 2);
  batch.columns()[0].set(0, std::int32_t{0});
  batch.columns()[0].set_null(1);
  batch.end_rows(2);
  EXPECT_TRUE(values.evaluate(batch));
  batch.clear();
  batch.columns()[0].set(0, std::int32_t{0});
  batch.columns()[0].set(1, std::int32_t{INT32_MIN + 5});
  batch.end_rows(2);
  EXPECT_FALSE(values.evaluate(batch));
}

}  // namespace
}  // namespace pq
