// What the server calls when it loads, unloads or asks to unload a plugin of the library.

#ifndef MYSQL_PQ_EDGE_PLUGIN_LIFECYCLE_H
#define MYSQL_PQ_EDGE_PLUGIN_LIFECYCLE_H

namespace pq {

// Each returns 0 for success. None throws.

// Runs the canaries, then registers the functions; on failure nothing stays registered and the
// error log has one line that says why.
int plugin_init(void *plugin) noexcept;

// Stops new calls for good, or refuses if a call runs, a statement uses a function or a snapshot
// lives (docs/decisions/two-plugins.md): the server would go on to close the library under running
// code. A refusal changes nothing for anybody. The functions stay until deinit: taken away here and
// given back, they would be missing for a moment to statements of others (1305).
int plugin_check_uninstall(void *plugin) noexcept;

// Unregisters the functions. One that a statement found since the check keeps the library mapped,
// and only says that the plugin is being uninstalled. The server calls it at shutdown, too, without
// the check before it.
int plugin_deinit(void *plugin) noexcept;

int ranges_table_init(void *schema_table) noexcept;
int ranges_table_deinit(void *schema_table) noexcept;
int snapshots_table_init(void *schema_table) noexcept;
int snapshots_table_deinit(void *schema_table) noexcept;

}  // namespace pq

#endif
