// Owns a context of metadata locks that no thread runs (docs/decisions/ddl.md).

#ifndef MYSQL_PQ_SERVER_LOCK_OWNER_H
#define MYSQL_PQ_SERVER_LOCK_OWNER_H

#include "server/mysql_compat.h"

namespace pq {

// Has no session. A context of it never waits, so what belongs to waiting is never called.
class Lock_owner : public MDL_context_owner {
 public:
  void enter_cond(mysql_cond_t *, mysql_mutex_t *, const PSI_stage_info *, PSI_stage_info *,
                  const char *, const char *, int) override {}
  void exit_cond(const PSI_stage_info *, const char *, const char *, int) override {}
  int is_killed() const override { return 0; }
  bool is_connected(bool) override { return true; }
  bool might_have_commit_order_waiters() const override { return false; }
  THD *get_thd() override { return nullptr; }
  void notify_shared_lock(MDL_context_owner *, bool) override {}
  bool notify_hton_pre_acquire_exclusive(const MDL_key *, bool *) override { return false; }
  void notify_hton_post_release_exclusive(const MDL_key *) override {}
  uint get_rand_seed() const override { return 1; }
};

}  // namespace pq

#endif
