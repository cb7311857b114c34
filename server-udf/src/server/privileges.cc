#include "server/privileges.h"

#include <cstring>

#include "server/mysql_compat.h"

namespace pq {

Result<void> check_administrator(THD *thd, const char *privilege) {
  Security_context *user = thd->security_context();
  if (user->check_access(SUPER_ACL) ||
      user->has_global_grant(privilege, std::strlen(privilege)).first) {
    return {};
  }
  my_error(ER_SPECIFIC_ACCESS_DENIED_ERROR, MYF(0), privilege);
  return fail(Code::reported, "not an administrator");
}

}  // namespace pq
