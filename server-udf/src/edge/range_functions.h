// Answers the functions that take a table and an index: its ranges, its definition, and the reading
// of its leaves ahead.

#ifndef MYSQL_PQ_EDGE_RANGE_FUNCTIONS_H
#define MYSQL_PQ_EDGE_RANGE_FUNCTIONS_H

#include "edge/function_call.h"

namespace pq::functions {

[[nodiscard]] Result<std::string> answer_ranges(THD *thd, const UDF_ARGS &args);
[[nodiscard]] Result<std::string> answer_definition(THD *thd, const UDF_ARGS &args);
[[nodiscard]] Result<std::string> answer_read_ahead(THD *thd, const UDF_ARGS &args);

}  // namespace pq::functions

#endif
