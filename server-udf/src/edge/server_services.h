// The component services that the extension uses, held from init to deinit.

#ifndef MYSQL_PQ_EDGE_SERVER_SERVICES_H
#define MYSQL_PQ_EDGE_SERVER_SERVICES_H

#include <mysql/components/services/udf_metadata.h>
#include <mysql/components/services/udf_registration.h>

namespace pq::services {

// False if the server lacks one of them; then none is held.
[[nodiscard]] bool acquire();
void release();

// Null before acquire and after release: a function that could not be unregistered may outlive the
// plugin.
[[nodiscard]] SERVICE_TYPE(udf_registration) * udf_registration();
[[nodiscard]] SERVICE_TYPE(mysql_udf_metadata) * udf_metadata();

}  // namespace pq::services

#endif
