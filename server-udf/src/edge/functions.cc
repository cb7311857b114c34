#include "edge/functions.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <thread>

#include "edge/function_call.h"
#include "edge/mapped_library.h"
#include "edge/range_functions.h"
#include "edge/scan_function.h"
#include "edge/server_services.h"
#include "edge/snapshot_functions.h"
#include "pure/reply.h"
#include "pure/version.h"
#include "server/mysql_compat.h"
#include "server/settings.h"
#include "sql/sql_udf.h"

namespace pq::functions {

namespace {

Result<std::string> answer_version(THD *thd, const UDF_ARGS &) {
  const std::vector<std::string> features =
      knows_additions
          ? std::vector<std::string>{"off_page", "adopt_tables", "aggregate",       "validators",
                                     "position", "batch_forms",  "awaited_position"}
          : std::vector<std::string>();
  const Version_reply reply{extension_version,      server_version, settings::enabled(),
                            settings::max_ranges(), names(),        features};
  return write_version_reply(reply, thd->variables.max_allowed_packet);
}

// A token, and the schema and name of as many tables as MySQL joins.
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
    Function{"mysql_pq_snapshot_position", row_function<call_once<answer_snapshot_position>>,
             init_function<0, 2>},
};

// The functions that came to the protocol later stand last. The tables of mysql_pq_snapshot_adopt
// came with them.
constexpr std::size_t additions = 4;
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

// A statement that uses a function of a closed gate ends at its next call of it
// (docs/decisions/two-plugins.md).
constexpr std::chrono::seconds longest_use{2};

// Tries again and again, as long as a statement may use a function of a closed gate.
template <class Step>
bool eventually(Step step) {
  const auto deadline = std::chrono::steady_clock::now() + longest_use;
  while (!step()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// Replaces a function that a statement used when the plugin went, and that is therefore still
// registered.
bool replace_function(const Function &function) {
  // The server keeps the memory of a function that it refuses to register.
  return eventually([&] { return unregister_function(function) && register_function(function); });
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
  return eventually([] {
    bool all = true;
    for (const Function &function : functions_known) all = unregister_function(function) && all;
    return all;
  });
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Function &function : functions_known) all.emplace_back(function.name);
  return all;
}

}  // namespace pq::functions
