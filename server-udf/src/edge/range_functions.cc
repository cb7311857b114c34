#include "edge/range_functions.h"

#include "planning/range_plan.h"
#include "readahead/read_ahead.h"
#include "server/mysql_compat.h"
#include "server/settings.h"

namespace pq::functions {

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

}  // namespace pq::functions
