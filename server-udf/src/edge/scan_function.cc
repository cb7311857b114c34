#include "edge/scan_function.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "pure/version.h"

namespace pq::functions {

namespace {

// Each row of a scan is a batch, so it may have more of them than other functions have calls.
constexpr unsigned max_batches_per_statement = 1 << 20;

// Its objects, but for what its text is counted for.
constexpr std::size_t bytes_of_known_piece = 1024;

// Two lists of arguments are the same if this text is: each argument stands in it behind its
// length.
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
                        read_argument(args, 3), read_argument(args, 4), read_argument(args, 5));
  if (!request) return std::unexpected(request.error());
  state.scan_arguments = join_arguments(args);
  // The request holds the same text once more, and what was read from it.
  const std::size_t known = request->validation ? request->validation->known.size() : 0;
  state.scan = std::make_unique<Native_scan>(
      std::move(*request), 4 * state.scan_arguments.capacity() + known * bytes_of_known_piece);
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

}  // namespace

Result<bool> call_scan(THD *thd, const UDF_ARGS &args, State &state) {
  if (auto begun = begin_call(thd, state, max_batches_per_statement); !begun) {
    return std::unexpected(begun.error());
  }
  if (auto fit = check_context(thd); !fit) return std::unexpected(fit.error());
  return continue_scan(thd, args, state);
}

// No server or client may take a batch for text.
bool init_scan(UDF_INIT *init, UDF_ARGS *args, char *message) noexcept {
  return prepare(init, args, message, 5, knows_additions ? 6 : 5, "binary");
}

}  // namespace pq::functions
