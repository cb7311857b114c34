#include "edge/server_services.h"

#include <mysql/components/my_service.h>
#include <mysql/service_plugin_registry.h>

#include <optional>

namespace pq::services {

namespace {

struct Held {
  explicit Held(SERVICE_TYPE(registry) * from)
      : registration("udf_registration", from), metadata("mysql_udf_metadata", from) {}

  [[nodiscard]] bool complete() const { return registration.is_valid() && metadata.is_valid(); }

  my_service<SERVICE_TYPE(udf_registration)> registration;
  my_service<SERVICE_TYPE(mysql_udf_metadata)> metadata;
};

// Written by init and deinit only, which the server runs one at a time.
SERVICE_TYPE(registry) *registry = nullptr;
std::optional<Held> held;

}  // namespace

bool acquire() {
  release();
  registry = mysql_plugin_registry_acquire();
  if (registry == nullptr) return false;
  held.emplace(registry);
  if (held->complete()) return true;
  release();
  return false;
}

void release() {
  held.reset();
  if (registry != nullptr) mysql_plugin_registry_release(registry);
  registry = nullptr;
}

SERVICE_TYPE(udf_registration) * udf_registration() {
  if (!held) return nullptr;
  return held->registration;
}
SERVICE_TYPE(mysql_udf_metadata) * udf_metadata() {
  if (!held) return nullptr;
  return held->metadata;
}

}  // namespace pq::services
