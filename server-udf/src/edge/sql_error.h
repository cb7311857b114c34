// Puts the extension's errors into the statement's diagnostics area.

#ifndef MYSQL_PQ_EDGE_SQL_ERROR_H
#define MYSQL_PQ_EDGE_SQL_ERROR_H

#include "pure/error.h"

namespace pq {

// After this the statement has an error, whatever the code: an error of `reported` that has left
// none gets one, since a function's NULL alone would look like an answer.
void report(const Error &error) noexcept;

}  // namespace pq

#endif
