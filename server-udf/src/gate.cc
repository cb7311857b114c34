#include "gate.h"

#include <atomic>

#include "settings.h"

namespace pq {

namespace {

// Sequentially consistent, both: either a call sees the gate closed or close() sees the call.
std::atomic<bool> is_open{false};
std::atomic<long> running{0};

}  // namespace

namespace gate {

void open() { is_open = true; }

bool close() {
  is_open = false;
  return running == 0;
}

}  // namespace gate

Call_guard::Call_guard() {
  ++running;
  ++counters.running;
  ++counters.calls;
  m_entered = is_open;
}

Call_guard::~Call_guard() {
  --counters.running;
  --running;
}

}  // namespace pq
