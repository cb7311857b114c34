#include "edge/function_call.h"

#include <atomic>
#include <cstring>
#include <new>
#include <string_view>

#include "edge/gate.h"
#include "edge/server_services.h"
#include "edge/sql_error.h"
#include "server/mysql_compat.h"
#include "server/settings.h"
#include "server/statement_context.h"

namespace pq::functions {

namespace {

// Nothing may leave an entry point by exception, whose handlers are the server's.
Result<bool> call_safely(Call call, THD *thd, const UDF_ARGS &args, State &state) noexcept {
  try {
    const Call_guard guard;
    if (!guard.entered() || !state.usable) {
      return fail(Code::disabled, "mysql_pq is being uninstalled");
    }
    return call(thd, args, state);
  } catch (const std::bad_alloc &) {
    return std::unexpected(Error{Code::out_of_memory, {}});
  } catch (...) {
    return std::unexpected(Error{Code::reported, "exception"});
  }
}

// States that are usable. Raised in the gate only.
std::atomic<long> prepared{0};

bool refuse(char *message, const char *why) {
  std::strncpy(message, why, MYSQL_ERRMSG_SIZE - 1);
  return true;
}

// The server's services are there while the gate is open.
bool set_charsets(UDF_INIT *init, UDF_ARGS *args, char *result_charset) {
  char charset[] = "utf8mb4";
  for (unsigned i = 0; i < args->arg_count; ++i) {
    if (args->arg_type[i] != STRING_RESULT) continue;
    if (services::udf_metadata()->argument_set(args, "charset", i, charset) != 0) return false;
  }
  return services::udf_metadata()->result_set(init, "charset", result_charset) == 0;
}

}  // namespace

Argument read_argument(const UDF_ARGS &args, unsigned i) {
  if (i >= args.arg_count || args.args[i] == nullptr) return std::monostate();
  switch (args.arg_type[i]) {
    case STRING_RESULT:
      return std::string_view(args.args[i], args.lengths[i]);
    case INT_RESULT:
      return std::int64_t{*reinterpret_cast<const long long *>(args.args[i])};
    default:
      return Other_type();
  }
}

Result<void> begin_call(THD *thd, State &state, unsigned most_calls) {
  if (state.statement != thd->query_id) {
    state.calls = 0;
    state.scan.reset();
  }
  state.statement = thd->query_id;
  if (++state.calls > most_calls) {
    return fail(Code::bad_context,
                "at most " + std::to_string(most_calls) + " calls in one statement");
  }
  return check_no_tables(thd);
}

Result<void> check_context(THD *thd) {
  if (auto context = check_statement_context(thd); !context) return context;
  return check_interrupted(thd);
}

char *run(Call call, UDF_INIT *init, UDF_ARGS *args, unsigned long *length, unsigned char *is_null,
          unsigned char *error) noexcept {
  State &state = *reinterpret_cast<State *>(init->ptr);
  const auto replied = call_safely(call, current_thd, *args, state);
  if (!replied) {
    ++counters.refused;
    report(replied.error());
    *error = 1;
  }
  if (!replied || !*replied) {
    *is_null = 1;
    return nullptr;
  }
  *length = state.reply.size();
  return state.reply.data();
}

// Only validates, because the server also prepares and explains statements. A statement may have
// found the function just when the plugin went; its calls then fail and say that.
bool prepare(UDF_INIT *init, UDF_ARGS *args, char *message, unsigned fewest, unsigned most,
             std::string_view result_charset) noexcept {
  if (args->arg_count < fewest || args->arg_count > most) {
    return refuse(message, "wrong number of arguments");
  }
  auto state = std::unique_ptr<State>(new (std::nothrow) State);
  if (state == nullptr) return refuse(message, "out of memory");
  const Gate_guard guard;
  char charset[8]{};
  result_charset.copy(charset, sizeof charset - 1);
  if (guard.entered() && !set_charsets(init, args, charset)) {
    return refuse(message, "cannot set charsets");
  }
  state->usable = guard.entered();
  if (state->usable) ++prepared;
  init->ptr = reinterpret_cast<char *>(state.release());
  init->maybe_null = true;
  init->const_item = false;  // or the optimizer would call it, even for EXPLAIN
  init->max_length = MAX_BLOB_WIDTH;
  return false;
}

void deinit_function(UDF_INIT *init) noexcept {
  auto *state = reinterpret_cast<State *>(init->ptr);
  const bool was_usable = state->usable;
  delete state;
  if (was_usable) --prepared;
}

bool any_prepared() { return prepared != 0; }

}  // namespace pq::functions
