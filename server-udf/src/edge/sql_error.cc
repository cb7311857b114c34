#include "edge/sql_error.h"

#include "server/mysql_compat.h"

namespace pq {

void report(const Error &error) noexcept {
  if (error.code == Code::reported && current_thd->is_error()) return;
  if (error.code == Code::out_of_memory) {
    my_error(ER_OUT_OF_RESOURCES, MYF(0));
    return;
  }
  // ER_UDF_ERROR with a text of our own, as docs/protocol.md has it.
  my_printf_error(ER_UDF_ERROR, "mysql_pq: %s: %s", MYF(0), code_name(error.code).data(),
                  error.message.c_str());
}

}  // namespace pq
