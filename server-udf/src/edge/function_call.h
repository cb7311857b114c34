// The steps of each call of an SQL function that are the same for all functions: from what the
// server hands over to a reply or the statement's error.

#ifndef MYSQL_PQ_EDGE_FUNCTION_CALL_H
#define MYSQL_PQ_EDGE_FUNCTION_CALL_H

#include <mysql/udf_registration_types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "pure/arguments.h"
#include "pure/error.h"
#include "scan/native_scan.h"

class THD;

namespace pq::functions {

// What one function in one statement keeps between its rows.
struct State {
  bool usable = false;  // it was prepared while the plugin was there
  std::string reply;
  std::int64_t statement = 0;  // its query id
  unsigned calls = 0;
  std::string scan_arguments;
  std::unique_ptr<Native_scan> scan;
};

// What a function does in each row of a statement. True if there is a reply, which it leaves in the
// state; false for NULL.
using Call = Result<bool> (*)(THD *thd, const UDF_ARGS &args, State &state);

// The same for a function that keeps nothing between its rows: the reply.
using Answer = Result<std::string> (*)(THD *thd, const UDF_ARGS &args);

// A function in a WHERE clause is called once a row. More calls than this are a mistake.
constexpr unsigned max_calls_per_statement = 1024;

// An argument that the statement does not have is like NULL.
[[nodiscard]] Argument read_argument(const UDF_ARGS &args, unsigned i);

// Counts the call. Fails with bad_context after too many, or in a statement that reads tables.
[[nodiscard]] Result<void> begin_call(THD *thd, State &state, unsigned most_calls);

// Fails with bad_context, reported or disabled unless the statement may call functions at all and
// may go on. Functions that take a table lease leave this to the lease.
[[nodiscard]] Result<void> check_context(THD *thd);

template <Answer answer>
[[nodiscard]] Result<bool> call_once(THD *thd, const UDF_ARGS &args, State &state) {
  if (auto begun = begin_call(thd, state, max_calls_per_statement); !begun) {
    return std::unexpected(begun.error());
  }
  auto reply = answer(thd, args);
  if (!reply) return std::unexpected(reply.error());
  state.reply = std::move(*reply);
  return true;
}

// Whether a statement has a function that was prepared while the gate was open, and may keep what
// its next call needs. Once the gate is closed and was found empty, false stays false.
[[nodiscard]] bool any_prepared();

// The rest is called by the server.

[[nodiscard]] char *run(Call call, UDF_INIT *init, UDF_ARGS *args, unsigned long *length,
                        unsigned char *is_null, unsigned char *error) noexcept;

template <Call call>
char *row_function(UDF_INIT *init, UDF_ARGS *args, char *, unsigned long *length,
                   unsigned char *is_null, unsigned char *error) noexcept {
  return run(call, init, args, length, is_null, error);
}

[[nodiscard]] bool prepare(UDF_INIT *init, UDF_ARGS *args, char *message, unsigned fewest,
                           unsigned most, std::string_view result_charset) noexcept;

// A function whose reply is text. It takes `fewest` arguments at least and `most` at most.
template <unsigned fewest, unsigned most>
bool init_function(UDF_INIT *init, UDF_ARGS *args, char *message) noexcept {
  return prepare(init, args, message, fewest, most, "utf8mb4");
}

void deinit_function(UDF_INIT *init) noexcept;

}  // namespace pq::functions

#endif
