// Answers the functions of snapshots.

#ifndef MYSQL_PQ_EDGE_SNAPSHOT_FUNCTIONS_H
#define MYSQL_PQ_EDGE_SNAPSHOT_FUNCTIONS_H

#include "edge/function_call.h"

namespace pq::functions {

[[nodiscard]] Result<std::string> answer_snapshot_export(THD *thd, const UDF_ARGS &args);
[[nodiscard]] Result<std::string> answer_snapshot_position(THD *thd, const UDF_ARGS &args);
[[nodiscard]] Result<std::string> answer_snapshot_adopt(THD *thd, const UDF_ARGS &args);
[[nodiscard]] Result<std::string> answer_snapshot_expect(THD *thd, const UDF_ARGS &args);
[[nodiscard]] Result<std::string> answer_snapshot_verify(THD *thd, const UDF_ARGS &args);
[[nodiscard]] Result<std::string> answer_snapshot_covers(THD *thd, const UDF_ARGS &args);

}  // namespace pq::functions

#endif
