#include "edge/gate.h"

#include <atomic>
#include <thread>

#include "server/settings.h"

namespace pq {

namespace {

enum class Gate : std::uint8_t { closed, deciding, open };

// Both are sequentially consistent. Therefore either a call sees that the gate is not open, or
// who has closed it sees the call.
std::atomic<Gate> gate_now{Gate::closed};
std::atomic<long> running{0};

// Counts the guard if its thread may go on, and tells whether it may.
bool enter() {
  for (;;) {
    ++running;
    const Gate now = gate_now;
    if (now == Gate::open) return true;
    --running;
    if (now == Gate::closed) return false;
    std::this_thread::yield();
  }
}

}  // namespace

namespace gate {

void open() { gate_now = Gate::open; }

void close() { gate_now = Gate::closed; }

bool is_entered() { return running != 0; }

bool close_if(bool (*is_idle)()) {
  gate_now = Gate::deciding;
  const bool closes = running == 0 && is_idle();
  gate_now = closes ? Gate::closed : Gate::open;
  return closes;
}

}  // namespace gate

Gate_guard::Gate_guard() : m_entered(enter()) {}

Gate_guard::~Gate_guard() {
  if (m_entered) --running;
}

Call_guard::Call_guard() {
  ++counters.running;
  ++counters.calls;
}

Call_guard::~Call_guard() { --counters.running; }

}  // namespace pq
