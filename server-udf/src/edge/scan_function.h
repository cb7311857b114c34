// Answers mysql_pq_scan, whose rows in one statement are the batches of one scan.

#ifndef MYSQL_PQ_EDGE_SCAN_FUNCTION_H
#define MYSQL_PQ_EDGE_SCAN_FUNCTION_H

#include "edge/function_call.h"

namespace pq::functions {

[[nodiscard]] Result<bool> call_scan(THD *thd, const UDF_ARGS &args, State &state);
bool init_scan(UDF_INIT *init, UDF_ARGS *args, char *message) noexcept;

}  // namespace pq::functions

#endif
