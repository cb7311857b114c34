// What the server calls when it loads, unloads or asks to unload a plugin of the library.

#ifndef MYSQL_PQ_EDGE_PLUGIN_LIFECYCLE_H
#define MYSQL_PQ_EDGE_PLUGIN_LIFECYCLE_H

namespace pq {

// Each returns 0 for success. None throws.

// Runs the canaries, then registers the functions; on failure nothing stays registered and the
// error log has one line that says why.
int plugin_init(void *plugin) noexcept;

// Stops new calls for good. Refuses if a call runs, a statement uses a function or a snapshot
// lives, because the server would close the library under running code
// (docs/decisions/two-plugins.md). While mysql_pq_enabled is OFF these end by themselves, and it
// waits for that, 10 seconds at most. Meanwhile calls are refused and the server does not know the
// plugin's variables; it holds LOCK_plugin_install, the shared locks against a global read lock and
// against backups, and those of mysql.plugin, which calls and snapshots do not need. After a
// refusal all is as before. The functions stay
// registered until deinit: if they were taken away here and given back, other statements would miss
// them in between (error 1305).
int plugin_check_uninstall(void *plugin) noexcept;

// Unregisters the functions. A function that a statement has found since the check keeps the
// library mapped, and its calls only say that the plugin is being uninstalled. The server also
// calls this without the check before it: at shutdown, when no session is left, and when it rolls
// an INSTALL PLUGIN back. Calls that are inside are then told to end, and waited for under
// LOCK_plugin_install: for mysql_pq_lock_wait_timeout at most, if they wait for a lock.
int plugin_deinit(void *plugin) noexcept;

int ranges_table_init(void *schema_table) noexcept;
int ranges_table_deinit(void *schema_table) noexcept;
int snapshots_table_init(void *schema_table) noexcept;
int snapshots_table_deinit(void *schema_table) noexcept;

}  // namespace pq

#endif
