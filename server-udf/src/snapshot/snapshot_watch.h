// Ends snapshots that have passed a limit, and the sessions that read in them
// (docs/decisions/shared-snapshot.md).

#ifndef MYSQL_PQ_SNAPSHOT_SNAPSHOT_WATCH_H
#define MYSQL_PQ_SNAPSHOT_SNAPSHOT_WATCH_H

namespace pq::snapshot_watch {

// Starts a thread of its own, which has no session and holds no lock between two looks, and returns
// when it is ready. False if there can be none: then no snapshot may be lent. The plugin is what
// its lines in the error log go by.
[[nodiscard]] bool start(void *plugin);

// Returns when the thread has ended. To be called with no lock held that KILL takes.
void stop() noexcept;

}  // namespace pq::snapshot_watch

#endif
