// Counts calls in progress, so that the plugin is never removed under running code
// (docs/decisions/two-plugins.md).

#ifndef MYSQL_PQ_EDGE_GATE_H
#define MYSQL_PQ_EDGE_GATE_H

namespace pq {

namespace gate {

// Lets calls in. Called once the functions may be registered.
void open();

// Closes the gate for good if no call runs and `is_idle` agrees. Otherwise the gate stays open. A
// call that begins meanwhile waits for the decision, which takes microseconds.
[[nodiscard]] bool close_if(bool (*is_idle)());

// Stops new calls, whatever is running.
void close();

// True while a thread is inside. It may also be true for a moment while a thread is refused. Once
// the gate is closed, nobody enters any more.
[[nodiscard]] bool is_entered();

}  // namespace gate

// Keeps close_if() from closing the gate. If the gate is closed already, `entered()` is false, and
// the caller must use nothing that the plugin holds between its init and its deinit.
class Gate_guard final {
 public:
  Gate_guard();
  ~Gate_guard();
  Gate_guard(const Gate_guard &) = delete;
  Gate_guard &operator=(const Gate_guard &) = delete;

  [[nodiscard]] bool entered() const { return m_entered; }

 private:
  bool m_entered;
};

// Counts one call in progress. If the gate is closed, the call must end with an error.
class Call_guard final {
 public:
  Call_guard();
  ~Call_guard();
  Call_guard(const Call_guard &) = delete;
  Call_guard &operator=(const Call_guard &) = delete;

  [[nodiscard]] bool entered() const { return m_gate.entered(); }

 private:
  Gate_guard m_gate;
};

}  // namespace pq

#endif
