#include "pure/snapshot_limits.h"

namespace pq {

std::string passed_limit(const Snapshot_use &use, const Snapshot_limits &limits) {
  if (use.age >= limits.max_age) {
    return "the snapshot is older than mysql_pq_snapshot_max_age = " +
           std::to_string(limits.max_age.count()) + " seconds";
  }
  if (limits.max_history > 0 && use.history > limits.max_history) {
    return "the snapshot keeps more undo logs from purge than mysql_pq_max_history_length = " +
           std::to_string(limits.max_history);
  }
  return {};
}

}  // namespace pq
