// Counts calls in progress, so that the plugin is never removed under running code.

#ifndef MYSQL_PQ_EDGE_GATE_H
#define MYSQL_PQ_EDGE_GATE_H

namespace pq {

namespace gate {

// Lets calls in. Called once the functions may be registered.
void open();

// Stops new calls for good if none is running and `is_idle` agrees, else for nobody: a call that
// begins meanwhile waits for the decision, which takes microseconds.
[[nodiscard]] bool close_if(bool (*is_idle)());

// Stops new calls, whatever is running.
void close();

}  // namespace gate

// Keeps the gate from closing by close_if(). If it is closed, `entered()` is false, and nothing may
// be used that the plugin holds from its init to its deinit.
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

// One call in progress, which is counted. If the gate is closed, the call must end with an error.
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
