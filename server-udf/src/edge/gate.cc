#include "edge/gate.h"

#include <atomic>
#include <thread>

#include "server/settings.h"

namespace pq {

namespace {

enum class Gate : std::uint8_t { closed, deciding, open };

// Both are sequentially consistent. Therefore either a call sees that the gate is not open, or
// close_if() sees the call.
std::atomic<Gate> gate_now{Gate::closed};
std::atomic<long> running{0};

// Counts the guard, and tells whether its thread may go on.
bool enter() {
  for (;;) {
    ++running;
    const Gate now = gate_now;
    if (now != Gate::deciding) return now == Gate::open;
    --running;
    std::this_thread::yield();
  }
}

}  // namespace

namespace gate {

void open() { gate_now = Gate::open; }

void close() { gate_now = Gate::closed; }

bool close_if(bool (*is_idle)()) {
  gate_now = Gate::deciding;
  const bool closes = running == 0 && is_idle();
  gate_now = closes ? Gate::closed : Gate::open;
  return closes;
}

}  // namespace gate

Gate_guard::Gate_guard() : m_entered(enter()) {}

Gate_guard::~Gate_guard() { --running; }

Call_guard::Call_guard() {
  ++counters.running;
  ++counters.calls;
}

Call_guard::~Call_guard() { --counters.running; }

}  // namespace pq
