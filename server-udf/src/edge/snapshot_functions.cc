#include "edge/snapshot_functions.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "pure/reply.h"
#include "server/mysql_compat.h"
#include "snapshot/snapshot_coverage.h"
#include "snapshot/snapshot_registry.h"

namespace pq::functions {

namespace {

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

}  // namespace

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
