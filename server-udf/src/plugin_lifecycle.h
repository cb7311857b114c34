// What the server calls when it loads, unloads or asks to unload a plugin of the library.

#ifndef MYSQL_PQ_PLUGIN_LIFECYCLE_H
#define MYSQL_PQ_PLUGIN_LIFECYCLE_H

namespace pq {

// Each returns 0 for success. None throws.

// Runs the canaries, then registers the functions; on failure nothing stays registered and the
// error log has one line that says why.
int plugin_init(void *plugin) noexcept;

// Stops new calls and unregisters the functions. If one is in use, restores everything and refuses,
// because the server would go on to close the library under running code.
int plugin_check_uninstall(void *plugin) noexcept;

// Also runs at shutdown, without the check before it.
int plugin_deinit(void *plugin) noexcept;

int ranges_table_init(void *schema_table) noexcept;
int ranges_table_deinit(void *schema_table) noexcept;
int snapshots_table_init(void *schema_table) noexcept;
int snapshots_table_deinit(void *schema_table) noexcept;

}  // namespace pq

#endif
