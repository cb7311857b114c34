#include "edge/snapshot_functions.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "pure/reply.h"
#include "server/mysql_compat.h"
#include "server/privileges.h"
#include "server/transaction_log.h"
#include "snapshot/commit_pause.h"
#include "snapshot/read_view.h"
#include "snapshot/snapshot_coverage.h"
#include "snapshot/snapshot_registry.h"

namespace pq::functions {

namespace {

using std::chrono::milliseconds;

// The arguments after the token are pairs of a schema and a table.
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

// A prepared transaction has the number of its XA PREPARE already, with which its rows were logged.
// They show later, under another number: a stream would leave them out. While others commit, their
// transactions are prepared too.
Result<void> check_none_prepared() {
  const auto prepared_now = prepared_transactions();
  if (prepared_now == 0) return {};
  return fail(Code::bad_context,
              std::to_string(prepared_now) + " XA transactions are prepared and not ended");
}

// A commit adds the transaction to gtid_executed after others see its rows, and before the commit
// ends. So what is read while no transaction commits is what the view sees.
Result<std::string> open_numbered_view(THD *thd, const Result<Commit_pause> &pause) {
  if (!pause) return std::unexpected(pause.error());
  auto exact = transaction_log::check_numbered();
  if (exact) exact = check_none_prepared();
  if (!exact) return std::unexpected(exact.error());
  auto reply = write_position_reply(transaction_log::executed(), thd->variables.max_allowed_packet);
  if (!reply) return reply;
  if (auto opened = open_view(thd); !opened) return std::unexpected(opened.error());
  return reply;
}

// The set of GTIDs to wait for, and for how many milliseconds.
struct Wait {
  transaction_log::Awaited awaited;
  std::chrono::milliseconds limit;
};

Result<std::optional<Wait>> read_wait(const UDF_ARGS &args) {
  if (args.arg_count == 0) return std::nullopt;
  const Argument set = read_argument(args, 0);
  const auto limit = arguments::as_integer(read_argument(args, 1));
  constexpr std::int64_t most = milliseconds(Commit_pause::longest_wait).count();
  if (!limit || *limit < 1 || *limit > most) {
    return arguments::bad(
        "a set of GTIDs",
        "must be followed by a number of milliseconds from 1 to " + std::to_string(most));
  }
  const auto *text = std::get_if<std::string_view>(&set);
  if (text == nullptr) return arguments::bad("a set of GTIDs", "must be text");
  auto awaited = transaction_log::Awaited::parse(std::string(*text));
  if (!awaited) return std::unexpected(awaited.error());
  return Wait{std::move(*awaited), milliseconds(*limit)};
}

}  // namespace

Result<std::string> answer_snapshot_position(THD *thd, const UDF_ARGS &args) {
  if (auto context = check_context(thd); !context) {
    return std::unexpected(context.error());
  }
  // Commits wait for it.
  if (auto allowed = check_administrator(thd, "BACKUP_ADMIN"); !allowed) {
    return std::unexpected(allowed.error());
  }
  const auto wait = read_wait(args);
  if (!wait) return std::unexpected(wait.error());
  // A call that must fail keeps nobody waiting.
  auto possible = check_unopened(thd);
  if (possible) possible = transaction_log::check_numbered();
  if (!possible) return std::unexpected(possible.error());
  return open_numbered_view(thd, *wait
                                     ? Commit_pause::look_for(thd, (*wait)->awaited, (*wait)->limit)
                                     : Commit_pause::begin(thd));
}

Result<std::string> answer_snapshot_export(THD *thd, const UDF_ARGS &) {
  if (auto context = check_context(thd); !context) {
    return std::unexpected(context.error());
  }
  const auto token = snapshots::add(thd);
  if (!token) return std::unexpected(token.error());
  return write_token_reply(write_token(*token), thd->variables.max_allowed_packet);
}

Result<std::string> answer_snapshot_adopt(THD *thd, const UDF_ARGS &args) {
  if (auto context = check_context(thd); !context) {
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
  if (auto context = check_context(thd); !context) {
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
  if (auto context = check_context(thd); !context) {
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

}  // namespace pq::functions
