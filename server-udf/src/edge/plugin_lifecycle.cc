#include "edge/plugin_lifecycle.h"

#include <chrono>
#include <string>
#include <thread>

#include "edge/function_call.h"
#include "edge/functions.h"
#include "edge/gate.h"
#include "edge/mapped_library.h"
#include "edge/server_services.h"
#include "mysql/service_my_plugin_log.h"
#include "server/canary.h"
#include "server/instruments.h"
#include "server/mysql_compat.h"
#include "server/settings.h"
#include "snapshot/snapshot_registry.h"
#include "snapshot/snapshot_watch.h"

namespace pq {

namespace {

int refuse_to_load(void *plugin, const std::string &why) {
  my_plugin_log_message(&plugin, MY_ERROR_LEVEL, "not loaded: %s", why.c_str());
  snapshot_watch::stop();
  services::release();
  return 1;
}

bool is_idle() { return snapshots::none_alive() && !functions::any_in_use(); }

// For calls and snapshots to end. The last is a call that waits for a metadata lock, as
// mysql_pq_lock_wait_timeout allows.
constexpr std::chrono::seconds longest_wait{10};

// Closes the gate first, because refused calls may begin so often that no moment is idle. What is
// in the gate, or passed it when it was prepared, then ends by itself, as snapshots do: the
// extension is disabled. False if something has not ended, with the gate open again.
bool close_gate_and_wait(THD *thd) {
  gate::close();
  const auto deadline = std::chrono::steady_clock::now() + longest_wait;
  while (gate::is_entered() || functions::any_prepared() || !snapshots::none_alive()) {
    if (thd->is_killed() || std::chrono::steady_clock::now() >= deadline) {
      gate::open();
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

int load(void *plugin) {
  if (const std::string other = canary::check_version(); !other.empty()) {
    return refuse_to_load(plugin, other);
  }
  std::string wrong = canary::check_sizes();
  if (wrong.empty()) wrong = canary::check_objects();
  if (wrong.empty()) wrong = canary::check_storage();
  if (wrong.empty()) wrong = canary::check_views();
  if (wrong.empty() && current_thd != nullptr) wrong = canary::check_session(current_thd);
  if (!wrong.empty()) {
    return refuse_to_load(plugin, "this build does not match the server (" + wrong + ")");
  }
  if (!services::acquire())
    return refuse_to_load(plugin, "the server lacks a service for functions");
  instruments::announce();
  if (!snapshot_watch::start(plugin)) {
    return refuse_to_load(plugin, "no thread could be started to watch snapshots");
  }
  if (const std::string name = functions::register_all(); !name.empty()) {
    return refuse_to_load(plugin, "function " + name +
                                      " could not be registered: a statement that began before "
                                      "UNINSTALL uses it, or another function has its name");
  }
  gate::open();
  return 0;
}

}  // namespace

int plugin_init(void *plugin) noexcept {
  try {
    return load(plugin);
  } catch (...) {
    // Out of memory. The server drops the library, whatever of it is registered.
    snapshot_watch::stop();
    if (services::udf_registration() != nullptr && !functions::unregister_all()) {
      keep_library_mapped();
    }
    return refuse_to_load(plugin, "out of memory");
  }
}

int plugin_check_uninstall(void *) noexcept {
  try {
    if (!settings::enabled()) return close_gate_and_wait(current_thd) ? 0 : 1;
    if (!is_idle()) return 1;
    return gate::close_if(is_idle) ? 0 : 1;
  } catch (...) {
    // Out of memory: as good as busy.
    gate::open();
    return 1;
  }
}

int plugin_deinit(void *) noexcept {
  try {
    gate::close();
    // An INSTALL PLUGIN that MySQL rolls back at its end asks no check_uninstall. Calls that are
    // inside end at their next check.
    settings::disable();
    while (gate::is_entered()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    snapshot_watch::stop();
    if (!functions::unregister_all()) keep_library_mapped();
    snapshots::forget_all();
    services::release();
  } catch (...) {
    return 1;
  }
  return 0;
}

}  // namespace pq
