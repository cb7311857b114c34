#include "snapshot/snapshot_watch.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "my_thread.h"
#include "mysql/psi/mysql_thread.h"
#include "mysql/service_my_plugin_log.h"
#include "server/instruments.h"
#include "server/mysql_compat.h"
#include "server/redo_log.h"
#include "snapshot/interruption.h"
#include "snapshot/snapshot_registry.h"

namespace pq::snapshot_watch {

namespace {

void report(void *plugin, const Expired_snapshot &snapshot) {
  const std::string table =
      snapshot.secret_wait.empty() ? "" : " (table " + snapshot.secret_wait + ")";
  my_plugin_log_message(
      &plugin, MY_WARNING_LEVEL,
      "ends the snapshot of connection %llu ('%s'@'%s') and its %zu sessions: %s%s",
      static_cast<unsigned long long>(snapshot.donor_id), snapshot.owner.user.c_str(),
      snapshot.owner.host.c_str(), snapshot.sessions.size(), snapshot.why.c_str(), table.c_str());
}

void look(void *plugin) noexcept {
  // The server then ends all sessions itself, and InnoDB after them.
  if (connection_events_loop_aborted()) return;
  try {
    redo_log::look();
    for (const Expired_snapshot &snapshot : snapshots::expired()) {
      if (snapshot.found_now) report(plugin, snapshot);
      for (const Session_transaction &target : snapshot.sessions) {
        snapshot.close ? interrupt_connection(target) : interrupt_statement(target);
      }
    }
  } catch (...) {
    // Out of memory: the next look may succeed.
  }
}

class Watch final {
 public:
  explicit Watch(void *plugin) : m_plugin(plugin) {
    m_created =
        mysql_thread_create(instruments::watch_thread_key(), &m_thread, nullptr, begin, this) == 0;
    if (!m_created) return;
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, snapshots::look_interval,
                               [this] { return m_state != State::starting; })) {
    }
  }

  ~Watch() {
    {
      const std::lock_guard guard(m_mutex);
      m_stopping = true;
    }
    m_changed.notify_all();
    if (m_created) my_thread_join(&m_thread, nullptr);
  }

  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  // Once constructed it runs, or never will.
  [[nodiscard]] bool runs() const { return m_state == State::running; }

 private:
  enum class State : std::uint8_t { starting, failed, running };

  static void *begin(void *watch) noexcept {
    auto *self = static_cast<Watch *>(watch);
    const bool failed = my_thread_init();
    self->started(failed ? State::failed : State::running);
    if (failed) return nullptr;
    self->run();
    my_thread_end();
    return nullptr;
  }

  void started(State state) noexcept {
    const std::lock_guard guard(m_mutex);
    m_state = state;
    m_changed.notify_all();
  }

  void run() noexcept {
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, snapshots::look_interval, [this] { return m_stopping; })) {
      lock.unlock();
      look(m_plugin);
      lock.lock();
    }
  }

  void *m_plugin;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_stopping = false;
  State m_state = State::starting;
  my_thread_handle m_thread{};
  bool m_created = false;
};

// On the heap, so that a server that exits without deinit does not join or destroy what still runs.
// Written by init and deinit only, which the server runs one at a time.
Watch *watch = nullptr;

}  // namespace

bool start(void *plugin) {
  watch = new Watch(plugin);
  return watch->runs();
}

void stop() noexcept {
  delete watch;
  watch = nullptr;
}

}  // namespace pq::snapshot_watch
