#include <gtest/gtest.h>

#include "pure/scan_request.h"

namespace pq {
namespace {

const std::string token(32, 'a');

Result<Scan_request> read(std::string_view options) {
  return read_scan_request(std::string_view("s"), std::string_view("t"),
                           std::string_view("PRIMARY"), std::string_view(token), options);
}

void expect_bad(std::string_view options, std::string_view part) {
  const auto request = read(options);
  ASSERT_FALSE(request) << options;
  EXPECT_EQ(request.error().code, Code::bad_argument);
  EXPECT_TRUE(request.error().message.contains(part)) << request.error().message;
}

TEST(ScanRequest, ReadsAll) {
  const auto request = read(R"({"columns": [["a", "int8"], ["b", "bytes"]], "partition": "p0",
    "upper": ["7"], "after": ["2", null], "rows": 65536, "bytes": 65536,
    "filters": [{"column": "c", "intervals": [["1", false, null, true], [null, true, "", false]],
                 "nulls": true}]})");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->target.schema, "s");
  EXPECT_EQ(request->target.table, "t");
  EXPECT_EQ(request->target.index, "PRIMARY");
  EXPECT_EQ(request->target.partition, "p0");
  EXPECT_EQ(write_token(request->token), token);
  ASSERT_EQ(request->columns.size(), 2U);
  EXPECT_EQ(request->columns[0].name, "a");
  EXPECT_EQ(request->columns[0].layout, Layout::int8);
  EXPECT_EQ(request->columns[1].layout, Layout::bytes);
  EXPECT_TRUE(request->lower.empty());
  EXPECT_EQ(request->upper, (std::vector<Written_value>{"7"}));
  EXPECT_EQ(request->after, (std::vector<Written_value>{"2", std::nullopt}));
  EXPECT_EQ(request->batch_rows, 65536U);
  EXPECT_EQ(request->batch_bytes, 65536U);
  ASSERT_EQ(request->conditions.filters.size(), 1U);
  const Wanted_filter &filter = request->conditions.filters[0];
  EXPECT_EQ(filter.column, "c");
  EXPECT_TRUE(filter.null_passes);
  ASSERT_EQ(filter.intervals.size(), 2U);
  EXPECT_EQ(filter.intervals[0].low, "1");
  EXPECT_FALSE(filter.intervals[0].low_inclusive);
  EXPECT_EQ(filter.intervals[0].high, std::nullopt);
  EXPECT_EQ(filter.intervals[1].high, "");
  EXPECT_FALSE(filter.intervals[1].high_inclusive);
}

TEST(ScanRequest, ReadsComparisonsAndChoices) {
  const auto request = read(R"({"columns": [], "filters": [
    {"left": "a", "comparison": "<>", "right": "b"},
    {"any": [[], [{"left": "c", "comparison": ">=", "right": "d"}, {"any": []},
                  {"column": "e", "intervals": [], "nulls": true}]]}]})");
  ASSERT_TRUE(request) << request.error().message;
  const Wanted_conditions &all = request->conditions;
  ASSERT_EQ(all.comparisons.size(), 1U);
  EXPECT_EQ(all.comparisons[0].left, "a");
  EXPECT_EQ(all.comparisons[0].comparison, Comparison::not_equal);
  EXPECT_EQ(all.comparisons[0].right, "b");
  EXPECT_TRUE(all.filters.empty());
  ASSERT_EQ(all.choices.size(), 1U);
  ASSERT_EQ(all.choices[0].alternatives.size(), 2U);
  const Wanted_conditions &second = all.choices[0].alternatives[1];
  EXPECT_EQ(second.comparisons[0].comparison, Comparison::greater_or_equal);
  EXPECT_TRUE(second.choices[0].alternatives.empty());
  EXPECT_EQ(second.filters[0].column, "e");
}

TEST(ScanRequest, NeedsNoColumnsButTheirList) {
  const auto request = read(R"({"columns": []})");
  ASSERT_TRUE(request);
  EXPECT_TRUE(request->columns.empty());
  expect_bad("{}", "options.columns must be given");
}

TEST(ScanRequest, NamesEachLayout) {
  const std::pair<const char *, Layout> layouts[] = {
      {"int8", Layout::int8},   {"int16", Layout::int16},   {"int32", Layout::int32},
      {"int64", Layout::int64}, {"int128", Layout::int128}, {"bytes", Layout::bytes}};
  for (const auto &[name, layout] : layouts) {
    const auto request = read(std::string(R"({"columns": [["a", ")") + name + R"("]]})");
    ASSERT_TRUE(request) << name;
    EXPECT_EQ(request->columns[0].layout, layout);
  }
}

TEST(ScanRequest, ReadsTypes) {
  const auto request =
      read(R"x({"columns": [], "types": {"a": "integer", "b": "decimal(10,2)"}})x");
  ASSERT_TRUE(request);
  ASSERT_EQ(request->types.size(), 2U);
  EXPECT_EQ(request->types[1].column, "b");
  EXPECT_EQ(request->types[1].type, "decimal(10,2)");
  expect_bad(R"({"columns": [], "types": [["a", "integer"]]})", "options.types must be an object");
  expect_bad(R"({"columns": [], "types": {"a": 1}})", "options.types must hold");
  expect_bad(R"({"columns": [], "types": {"": "integer"}})", "column");
  std::string many = R"({"columns": [], "types": {)";
  for (std::size_t i = 0; i <= max_scan_columns; ++i) {
    many += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": \"text\"";
  }
  expect_bad(many + "}}", "at most 1024");
}

TEST(ScanRequest, RefusesOtherTokens) {
  for (const Argument &wrong : {Argument(std::string_view("0")), Argument(), Argument(Other_type()),
                                Argument(std::int64_t{1})}) {
    const auto request =
        read_scan_request(std::string_view("s"), std::string_view("t"), std::string_view("i"),
                          wrong, std::string_view(R"({"columns": []})"));
    ASSERT_FALSE(request);
    EXPECT_TRUE(request.error().message.contains("token")) << request.error().message;
  }
}

TEST(ScanRequest, RefusesWhatItDoesNotKnow) {
  expect_bad(R"({"columns": [], "limit": 1})", "options.limit is not a known option");
  expect_bad(R"({"columns": [["a", "int32", 1]]})", "pairs");
  expect_bad(R"({"columns": [["a", "int33"]]})", "'int33'");
  expect_bad(R"({"columns": [["a", 32]]})", "a layout");
  expect_bad(R"({"columns": [[null, "int8"]]})", "strings");
  expect_bad(R"({"columns": [["", "int8"]]})", "1 to 64");
  expect_bad(R"({"columns": "a"})", "array");
  expect_bad(R"({"columns": [], "lower": []})", "1 to 16");
  expect_bad(R"({"columns": [], "lower": ["1"], "after": ["2"]})", "options.lower");
  EXPECT_EQ(read(R"({"columns": [], "lower": ["1"]})")->lower, (std::vector<Written_value>{"1"}));
  expect_bad(R"({"columns": [], "after": [1]})", "strings and nulls");
}

TEST(ScanRequest, RefusesNumbersOutOfBounds) {
  for (const char *rows : {"0", "65537", "-1", "1.0", "1e3", "4294967297", "\"8\"", "null"}) {
    expect_bad(std::string(R"({"columns": [], "rows": )") + rows + "}", "options.rows");
  }
  for (const char *bytes : {"65535", "67108865", "18446744073709551617"}) {
    expect_bad(std::string(R"({"columns": [], "bytes": )") + bytes + "}", "options.bytes");
  }
}

TEST(ScanRequest, KnowsForms) {
  EXPECT_EQ(read(R"({"columns": []})")->form, Batch_form::wide);
  EXPECT_EQ(read(R"({"columns": [], "compression": "narrow"})")->form, Batch_form::narrow);
  EXPECT_EQ(read(R"({"columns": [], "compression": "zstd"})")->form, Batch_form::compressed);
  for (const char *compression : {"\"lz4\"", "1", "true", "null"}) {
    expect_bad(std::string(R"({"columns": [], "compression": )") + compression + "}",
               "options.compression");
  }
}

TEST(ScanRequest, RefusesFiltersOfAnotherForm) {
  const auto filters = [](std::string_view text) {
    return std::string(R"({"columns": [], "filters": )") + std::string(text) + "}";
  };
  expect_bad(filters("{}"), "at most 64");
  expect_bad(filters("[1]"), "objects");
  expect_bad(filters("[{}]"), "objects");
  expect_bad(filters(R"([{"column": "a", "intervals": []}])"), "column, intervals and nulls");
  expect_bad(filters(R"([{"column": "a", "intervals": [], "nulls": true, "x": 1}])"),
             "column, intervals and nulls");
  expect_bad(filters(R"([{"left": "a", "comparison": "<"}])"), "left, comparison and right");
  expect_bad(filters(R"([{"left": "a", "comparison": "==", "right": "b"}])"), "'=='");
  expect_bad(filters(R"([{"left": "a", "comparison": "<", "right": 1}])"), "strings");
  expect_bad(filters(R"([{"any": [], "nulls": true}])"), "no more");
  expect_bad(filters(R"([{"any": {}}])"), "array of at most 64");
  expect_bad(filters(R"([{"any": [1]}])"), "arrays of at most 64");
  std::string nested = "[]";
  for (unsigned depth = 0; depth < max_json_depth / 3 + 1; ++depth) {
    nested = R"([{"any": [)" + nested + "]}]";
  }
  expect_bad(filters(nested), "deep");
  expect_bad(filters(R"([{"column": "a", "intervals": [], "nulls": 1}])"), "true or false");
  expect_bad(filters(R"([{"column": "a", "intervals": [["1", true, "2"]], "nulls": true}])"),
             "[low");
  expect_bad(filters(R"([{"column": "a", "intervals": [[1, true, "2", true]], "nulls": true}])"),
             "strings and nulls");
  expect_bad(filters(R"([{"column": 1, "intervals": [], "nulls": true}])"), "strings");
}

TEST(ScanRequest, ReadsAggregations) {
  const auto request = read(R"({"columns": [["a", "bytes"], ["b", "int64"]], "aggregate":
    {"functions": [["count"], ["count", 0], ["sum", 1], ["min", 1], ["max", 1], ["min", 1, 0]],
     "groups": [0, 1]}})");
  ASSERT_TRUE(request) << request.error().message;
  ASSERT_TRUE(request->aggregation);
  const Wanted_aggregation &aggregation = *request->aggregation;
  EXPECT_EQ(aggregation.groups, (std::vector<std::uint32_t>{0, 1}));
  ASSERT_EQ(aggregation.functions.size(), 6U);
  EXPECT_EQ(aggregation.functions[0].function, Aggregate::count);
  EXPECT_EQ(aggregation.functions[0].column, std::nullopt);
  EXPECT_EQ(aggregation.functions[1].column, 0U);
  EXPECT_EQ(aggregation.functions[2].function, Aggregate::sum);
  EXPECT_EQ(aggregation.functions[3].function, Aggregate::min);
  EXPECT_EQ(aggregation.functions[4].function, Aggregate::max);
  EXPECT_EQ(aggregation.functions[4].beside, std::nullopt);
  EXPECT_EQ(aggregation.functions[5].function, Aggregate::min);
  EXPECT_EQ(aggregation.functions[5].column, 1U);
  EXPECT_EQ(aggregation.functions[5].beside, 0U);
  EXPECT_FALSE(read(R"({"columns": []})")->aggregation);
}

TEST(ScanRequest, RefusesAggregationsOfAnotherForm) {
  const auto aggregate = [](std::string_view text) {
    return std::string(R"({"columns": [["a", "bytes"], ["b", "int8"]], "aggregate": )") +
           std::string(text) + "}";
  };
  expect_bad(aggregate("[]"), "groups and functions");
  expect_bad(aggregate(R"({"groups": []})"), "groups and functions");
  expect_bad(aggregate(R"({"groups": {}, "functions": []})"), "at most 64");
  expect_bad(aggregate(R"({"groups": ["a"], "functions": []})"), "a column in options.aggregate");
  expect_bad(aggregate(R"({"groups": [2], "functions": []})"), "places in options.columns");
  expect_bad(aggregate(R"({"groups": [-1], "functions": []})"), "a column in options.aggregate");
  expect_bad(aggregate(R"({"groups": [], "functions": {}})"), "at most 256");
  expect_bad(aggregate(R"({"groups": [], "functions": ["count"]})"), "an array of its name");
  expect_bad(aggregate(R"({"groups": [], "functions": [[]]})"), "an array of its name");
  expect_bad(aggregate(R"({"groups": [], "functions": [["avg", 1]]})"), "not 'avg'");
  expect_bad(aggregate(R"({"groups": [], "functions": [[1, 1]]})"), "count, sum, min or max");
  expect_bad(aggregate(R"({"groups": [], "functions": [["sum"]]})"), "must have a column");
  expect_bad(aggregate(R"({"groups": [], "functions": [["count", 2]]})"), "places");
  expect_bad(aggregate(R"({"groups": [], "functions": [["min", 1, 2]]})"), "places");
  expect_bad(aggregate(R"({"groups": [], "functions": [["min", 2, 1]]})"), "places");
  expect_bad(aggregate(R"({"groups": [], "functions": [["min", 1, -1]]})"),
             "a column in options.aggregate");
  expect_bad(aggregate(R"({"groups": [], "functions": [["min", 1, 1, 1]]})"), "one or two places");
  expect_bad(aggregate(R"({"groups": [], "functions": [["sum", 1, 1]]})"), "only min and max");
  expect_bad(aggregate(R"({"groups": [], "functions": [["count", 1, 1]]})"), "only min and max");
  expect_bad(aggregate(R"({"groups": [], "functions": [["sum", 0]]})"), "add bytes");
  expect_bad(aggregate(R"({"groups": [], "functions": [], "x": 1})"), "no member 'x'");
}

TEST(ScanRequest, ReadsFirst) {
  const auto request = read(R"({"columns": [], "first": {"rows": 10, "order": [
      [["column", "a"], "descending", "nulls_last"], [["length", ["column", "b"]], "ascending",
      "nulls_first"]]}})");
  ASSERT_TRUE(request) << request.error().message;
  ASSERT_TRUE(request->first);
  EXPECT_EQ(request->first->rows, 10U);
  ASSERT_EQ(request->first->order.size(), 2U);
  EXPECT_EQ(request->first->order[0].expression.texts, (std::vector<std::string>{"a"}));
  EXPECT_TRUE(request->first->order[0].descending);
  EXPECT_FALSE(request->first->order[0].nulls_first);
  EXPECT_EQ(request->first->order[1].expression.op, Operator::length);
  EXPECT_FALSE(request->first->order[1].descending);
  EXPECT_TRUE(request->first->order[1].nulls_first);
}

TEST(ScanRequest, RefusesBadFirst) {
  const auto first = [](std::string_view text) {
    return std::string(R"({"columns": [["a", "int8"]], "first": )") + std::string(text) + "}";
  };
  const std::string order = R"([["column", "a"], "ascending", "nulls_last"])";
  expect_bad(first("[]"), "rows and order");
  expect_bad(first(R"({"rows": 1})"), "rows and order");
  expect_bad(first(R"({"rows": 1, "order": [)" + order + R"(], "x": 1})"), "rows and order");
  for (const std::string rows : {"0", "65537", "-1", "\"1\"", "null"}) {
    expect_bad(first(R"({"rows": )" + rows + R"(, "order": [)" + order + "]}"),
               "options.first.rows");
  }
  expect_bad(first(R"({"rows": 1, "order": []})"), "1 to 16");
  expect_bad(first(R"({"rows": 1, "order": {}})"), "1 to 16");
  std::string many = order;
  for (int i = 1; i < 17; ++i) many += "," + order;
  expect_bad(first(R"({"rows": 1, "order": [)" + many + "]}"), "1 to 16");
  expect_bad(first(R"({"rows": 1, "order": [[["column", "a"], "ascending"]]})"), "direction");
  expect_bad(first(R"({"rows": 1, "order": [["a", "ascending", "nulls_last"]]})"), "expression");
  expect_bad(first(R"({"rows": 1, "order": [[["column", "a"], "up", "nulls_last"]]})"),
             "descending or ascending, not 'up'");
  expect_bad(first(R"({"rows": 1, "order": [[["column", "a"], "ascending", 1]]})"), "nulls_first");
  expect_bad(R"({"columns": [["a", "int8"]], "aggregate": {"groups": [0], "functions": []},
              "first": {"rows": 1, "order": [)" +
                 order + "]}}",
             "beside options.aggregate");
}

TEST(ScanRequest, BoundsItsLists) {
  std::string columns;
  for (std::size_t i = 0; i < max_scan_columns + 1; ++i) {
    columns += std::string(i == 0 ? "" : ",") + R"(["c)" + std::to_string(i) + R"(", "int8"])";
  }
  expect_bad(R"({"columns": [)" + columns + "]}", "at most 1024");
  std::string intervals = "[null,true,null,true]";
  for (std::size_t i = 0; i < max_filter_intervals; ++i) intervals += ",[null,true,null,true]";
  expect_bad(R"({"columns": [], "filters": [{"column": "a", "intervals": [)" + intervals +
                 R"(], "nulls": false}]})",
             "at most 4096");
  std::string comparisons = R"({"left": "a", "comparison": "=", "right": "b"})";
  std::string alternatives = "[]";
  for (std::size_t i = 0; i < max_scan_conditions; ++i) {
    comparisons += R"(,{"left": "a", "comparison": "=", "right": "b"})";
    alternatives += ",[]";
  }
  expect_bad(R"({"columns": [], "filters": [)" + comparisons + "]}", "at most 64");
  expect_bad(R"({"columns": [], "filters": [{"any": [)" + alternatives + "]}]}", "at most 64");
  std::string all = "[]";
  for (std::size_t i = 0; i < 5; ++i) {
    all += ",[" + comparisons.substr(0, comparisons.rfind(",{")) + "]";
  }
  expect_bad(R"({"columns": [], "filters": [{"any": [)" + all + "]}]}", "256 conditions");
  expect_bad(std::string(max_scan_options_bytes + 1, ' '), "at most 262144 bytes");
}

}  // namespace
}  // namespace pq
