#include "edge/functions.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <thread>

#include "edge/gate.h"
#include "edge/mapped_library.h"
#include "edge/server_services.h"
#include "edge/sql_error.h"
#include "planning/range_plan.h"
#include "pure/arguments.h"
#include "pure/version.h"
#include "readahead/read_ahead.h"
#include "scan/native_scan.h"
#include "server/mysql_compat.h"
#include "server/settings.h"
#include "server/statement_context.h"
#include "snapshot/snapshot_coverage.h"
#include "snapshot/snapshot_registry.h"
#include "sql/sql_udf.h"

namespace pq::functions {

namespace {

using Answer = Result<std::string> (*)(THD *thd, const UDF_ARGS &args);

// A function in a WHERE clause runs once a row; past this it is a mistake.
constexpr unsigned max_calls_per_statement = 1024;

// But each row of a scan is a batch.
constexpr unsigned max_batches_per_statement = 1 << 20;

// What one function in one statement keeps between its rows.
struct State {
  bool usable = false;  // it was prepared while the plugin was there
  std::string reply;
  query_id_t statement = 0;
  unsigned calls = 0;
  std::string scan_arguments;
  std::unique_ptr<Native_scan> scan;
};

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

Result<std::string> answer_version(THD *thd, const UDF_ARGS &) {
  const std::vector<std::string> features =
      knows_additions ? std::vector<std::string>{"off_page", "adopt_tables"}
                      : std::vector<std::string>();
  const Version_reply reply{extension_version,      server_version, settings::enabled(),
                            settings::max_ranges(), names(),        features};
  return write_version_reply(reply, thd->variables.max_allowed_packet);
}

Result<std::string> answer_ranges(THD *thd, const UDF_ARGS &args) {
  const auto request =
      read_range_request(read_argument(args, 0), read_argument(args, 1), read_argument(args, 2),
                         read_argument(args, 3), read_argument(args, 4), settings::max_ranges());
  if (!request) return std::unexpected(request.error());
  const auto plan = plan_ranges(thd, *request);
  if (!plan) return std::unexpected(plan.error());
  return write_range_reply(*plan, thd->variables.max_allowed_packet);
}

Result<std::string> answer_read_ahead(THD *thd, const UDF_ARGS &args) {
  const auto request = read_readahead_request(read_argument(args, 0), read_argument(args, 1),
                                              read_argument(args, 2), read_argument(args, 3));
  if (!request) return std::unexpected(request.error());
  const auto reply = read_ahead(thd, *request);
  if (!reply) return std::unexpected(reply.error());
  return write_readahead_reply(*reply, thd->variables.max_allowed_packet);
}

Result<std::string> answer_definition(THD *thd, const UDF_ARGS &args) {
  const auto target = read_target(read_argument(args, 0), read_argument(args, 1),
                                  read_argument(args, 2), read_argument(args, 3));
  if (!target) return std::unexpected(target.error());
  const auto definition = read_definition(thd, *target);
  if (!definition) return std::unexpected(definition.error());
  return write_definition_reply(*definition, thd->variables.max_allowed_packet);
}

Result<void> check_snapshot_context(THD *thd) {
  if (auto context = check_statement_context(thd); !context) return context;
  return check_interrupted(thd);
}

Result<std::string> answer_snapshot_export(THD *thd, const UDF_ARGS &) {
  if (auto context = check_snapshot_context(thd); !context) {
    return std::unexpected(context.error());
  }
  const auto token = snapshots::add(thd);
  if (!token) return std::unexpected(token.error());
  return write_token_reply(write_token(*token), thd->variables.max_allowed_packet);
}

// After the token: pairs of schema and table.
Result<std::vector<Target>> read_tables(const UDF_ARGS &args) {
  if (args.arg_count % 2 == 0) return arguments::bad("a schema", "must be followed by a table");
  std::vector<Target> tables;
  for (unsigned i = 1; i < args.arg_count; i += 2) {
    auto table = read_table(read_argument(args, i), read_argument(args, i + 1));
    if (!table) return std::unexpected(table.error());
    tables.push_back(std::move(*table));
  }
  return tables;
}

Result<std::string> answer_snapshot_adopt(THD *thd, const UDF_ARGS &args) {
  if (auto context = check_snapshot_context(thd); !context) {
    return std::unexpected(context.error());
  }
  const auto token = arguments::read_token_argument(read_argument(args, 0));
  if (!token) return std::unexpected(token.error());
  const auto tables = read_tables(args);
  if (!tables) return std::unexpected(tables.error());
  const auto age = snapshots::adopt(thd, *token, *tables);
  if (!age) return std::unexpected(age.error());
  return write_age_reply(age->count(), thd->variables.max_allowed_packet);
}

Result<std::string> answer_snapshot_expect(THD *thd, const UDF_ARGS &args) {
  if (auto context = check_snapshot_context(thd); !context) {
    return std::unexpected(context.error());
  }
  const auto table = read_table(read_argument(args, 0), read_argument(args, 1));
  if (!table) return std::unexpected(table.error());
  const auto readers = arguments::as_integer(read_argument(args, 2));
  if (!readers || *readers < 0) return arguments::bad("a number of readers", "must be an integer");
  const auto age = snapshots::expect(thd, *table, static_cast<std::uint64_t>(*readers));
  if (!age) return std::unexpected(age.error());
  return write_age_reply(age->count(), thd->variables.max_allowed_packet);
}

Result<std::string> answer_snapshot_verify(THD *thd, const UDF_ARGS &args) {
  if (auto context = check_snapshot_context(thd); !context) {
    return std::unexpected(context.error());
  }
  const auto token = arguments::read_token_argument(read_argument(args, 0));
  if (!token) return std::unexpected(token.error());
  const auto age = snapshots::verify(thd, *token);
  if (!age) return std::unexpected(age.error());
  return write_age_reply(age->count(), thd->variables.max_allowed_packet);
}

Result<std::string> answer_snapshot_covers(THD *thd, const UDF_ARGS &args) {
  const auto target = read_table(read_argument(args, 0), read_argument(args, 1));
  if (!target) return std::unexpected(target.error());
  const auto covered = covers(thd, *target);
  if (!covered) return std::unexpected(covered.error());
  if (*covered) {
    if (auto held = snapshots::hold(thd, *target); !held) return std::unexpected(held.error());
  }
  return write_coverage_reply(*covered, thd->variables.max_allowed_packet);
}

// What all arguments say together; each as long as it says.
std::string join_arguments(const UDF_ARGS &args) {
  std::string joined;
  for (unsigned i = 0; i < args.arg_count; ++i) {
    const Argument argument = read_argument(args, i);
    const auto *text = std::get_if<std::string_view>(&argument);
    if (text == nullptr) continue;
    joined += std::to_string(text->size()) + ":";
    joined += *text;
  }
  return joined;
}

Result<void> begin_scan(const UDF_ARGS &args, State &state) {
  auto request =
      read_scan_request(read_argument(args, 0), read_argument(args, 1), read_argument(args, 2),
                        read_argument(args, 3), read_argument(args, 4));
  if (!request) return std::unexpected(request.error());
  state.scan_arguments = join_arguments(args);
  // Once more as the request.
  state.scan =
      std::make_unique<Native_scan>(std::move(*request), 2 * state.scan_arguments.capacity());
  return {};
}

// The next batch of the statement's scan, in the reply; nothing after the last one.
Result<bool> continue_scan(THD *thd, const UDF_ARGS &args, State &state) {
  if (state.scan == nullptr) {
    if (auto begun = begin_scan(args, state); !begun) return std::unexpected(begun.error());
  } else if (state.scan_arguments != join_arguments(args)) {
    return fail(Code::bad_argument, "the arguments must be the same in all rows of a statement");
  }
  const auto more = state.scan->next(thd, state.reply);
  if (!more || !*more) std::string().swap(state.reply);
  return more;
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

// Whether there is a reply, in the state.
using Call = Result<bool> (*)(THD *thd, const UDF_ARGS &args, State &state);

template <Answer answer>
Result<bool> call_once(THD *thd, const UDF_ARGS &args, State &state) {
  if (auto begun = begin_call(thd, state, max_calls_per_statement); !begun) {
    return std::unexpected(begun.error());
  }
  auto reply = answer(thd, args);
  if (!reply) return std::unexpected(reply.error());
  state.reply = std::move(*reply);
  return true;
}

Result<bool> call_scan(THD *thd, const UDF_ARGS &args, State &state) {
  if (auto begun = begin_call(thd, state, max_batches_per_statement); !begun) {
    return std::unexpected(begun.error());
  }
  if (auto fit = check_snapshot_context(thd); !fit) return std::unexpected(fit.error());
  return continue_scan(thd, args, state);
}

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

// Only validates: the server also prepares and explains statements. A statement may have found the function at the very moment
// at which the plugin went: its calls say so.
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
  init->ptr = reinterpret_cast<char *>(state.release());
  init->maybe_null = true;
  init->const_item = false;  // else the optimizer would call it, also for EXPLAIN
  init->max_length = MAX_BLOB_WIDTH;
  return false;
}

template <unsigned fewest, unsigned most>
bool init_function(UDF_INIT *init, UDF_ARGS *args, char *message) noexcept {
  return prepare(init, args, message, fewest, most, "utf8mb4");
}

// No server or client may take a batch for text.
bool init_scan(UDF_INIT *init, UDF_ARGS *args, char *message) noexcept {
  return prepare(init, args, message, 5, 5, "binary");
}

void deinit_function(UDF_INIT *init) noexcept { delete reinterpret_cast<State *>(init->ptr); }

template <Call call>
char *row_function(UDF_INIT *init, UDF_ARGS *args, char *, unsigned long *length,
                   unsigned char *is_null, unsigned char *error) noexcept {
  return run(call, init, args, length, is_null, error);
}

// A token, and a schema and a name of each table: as many as MySQL joins.
constexpr unsigned most_adopt_arguments = knows_additions ? 1 + 2 * MAX_TABLES : 1;

struct Function {
  const char *name;
  Udf_func_string row;
  Udf_func_init init;
};

constexpr std::array all_functions{
    Function{"mysql_pq_version", row_function<call_once<answer_version>>, init_function<0, 0>},
    Function{"mysql_pq_ranges", row_function<call_once<answer_ranges>>, init_function<4, 5>},
    Function{"mysql_pq_definition", row_function<call_once<answer_definition>>,
             init_function<3, 4>},
    Function{"mysql_pq_snapshot_export", row_function<call_once<answer_snapshot_export>>,
             init_function<0, 0>},
    Function{"mysql_pq_snapshot_adopt", row_function<call_once<answer_snapshot_adopt>>,
             init_function<1, most_adopt_arguments>},
    Function{"mysql_pq_snapshot_covers", row_function<call_once<answer_snapshot_covers>>,
             init_function<2, 2>},
    Function{"mysql_pq_snapshot_verify", row_function<call_once<answer_snapshot_verify>>,
             init_function<1, 1>},
    Function{"mysql_pq_read_ahead", row_function<call_once<answer_read_ahead>>,
             init_function<3, 4>},
    Function{"mysql_pq_scan", row_function<call_scan>, init_scan},
    Function{"mysql_pq_snapshot_expect", row_function<call_once<answer_snapshot_expect>>,
             init_function<3, 3>},
};

// What came to the protocol later stands last. (And the tables of mysql_pq_snapshot_adopt.)
constexpr std::size_t additions = 3;
constexpr std::span functions_known(all_functions.data(),
                                    all_functions.size() - (knows_additions ? 0 : additions));

bool register_function(const Function &function) {
  return services::udf_registration()->udf_register(function.name, STRING_RESULT,
                                                    reinterpret_cast<Udf_func_any>(function.row),
                                                    function.init, deinit_function) == 0;
}

// False if a statement uses it.
bool unregister_function(const Function &function) {
  int was_present = 0;
  return services::udf_registration()->udf_unregister(function.name, &was_present) == 0 ||
         was_present == 0;
}

// One that a statement used when the plugin went is still there. It can be replaced when that statement has ended, whose next call
// fails: so this waits for a second at most.
bool replace_function(const Function &function) {
  for (int attempts_left = 100;; --attempts_left) {
    if (register_function(function) ||
        (unregister_function(function) && register_function(function))) {
      return true;
    }
    if (attempts_left == 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// The server itself holds it once.
bool is_in_use(const Function &function) {
  const udf_func *known = find_udf(function.name);
  return known != nullptr && known->usage_count > 1;
}

}  // namespace

std::string register_all() {
  for (std::size_t i = 0; i < functions_known.size(); ++i) {
    if (replace_function(functions_known[i])) continue;
    for (std::size_t j = 0; j < i; ++j) {
      // A statement may have found it already; the server closes the library all the same.
      if (!unregister_function(functions_known[j])) keep_library_mapped();
    }
    return functions_known[i].name;
  }
  return {};
}

bool any_in_use() { return std::ranges::any_of(functions_known, is_in_use); }

bool unregister_all() {
  // The server also calls deinit after an init that refused, which registered none.
  if (services::udf_registration() == nullptr) return true;
  bool all = true;
  for (const Function &function : functions_known) all = unregister_function(function) && all;
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Function &function : functions_known) all.emplace_back(function.name);
  return all;
}

}  // namespace pq::functions
