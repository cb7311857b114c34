// Declares the plugins of the library. The only file that may define MYSQL_DYNAMIC_PLUGIN, because
// that name changes the meaning of InnoDB's headers.

#define MYSQL_DYNAMIC_PLUGIN

#include <mysql/plugin.h>

#include "edge/plugin_lifecycle.h"
#include "pure/version.h"
#include "server/settings.h"

// Another number than the server's own makes the server refuse the library at load; the build can
// stamp a foreign one to test that.
#ifndef PQ_STAMP_VERSION_ID
#define PQ_STAMP_VERSION_ID MYSQL_VERSION_ID
#endif

namespace {

st_mysql_daemon daemon_descriptor = {PQ_STAMP_VERSION_ID << 8};
st_mysql_information_schema ranges_descriptor = {PQ_STAMP_VERSION_ID << 8};
st_mysql_information_schema snapshots_descriptor = {PQ_STAMP_VERSION_ID << 8};

}  // namespace

mysql_declare_plugin(mysql_pq){
    MYSQL_DAEMON_PLUGIN,
    &daemon_descriptor,
    "mysql_pq",
    "the mysql_pq authors",
    "Key ranges from B+tree subtrees, for parallel readers",
    PLUGIN_LICENSE_GPL,
    pq::plugin_init,
    pq::plugin_check_uninstall,
    pq::plugin_deinit,
    pq::plugin_version,
    pq::status_variables,
    pq::system_variables,
    nullptr,
    0,
},
    {
        MYSQL_INFORMATION_SCHEMA_PLUGIN,
        &ranges_descriptor,
        "MYSQL_PQ_RANGES",
        "the mysql_pq authors",
        "Key ranges of one table, for people",
        PLUGIN_LICENSE_GPL,
        pq::ranges_table_init,
        nullptr,
        pq::ranges_table_deinit,
        pq::plugin_version,
        nullptr,
        nullptr,
        nullptr,
        // Statements keep bare pointers into an INFORMATION_SCHEMA plugin between parsing and
        // execution, so its removal can never be made safe (docs/decisions/two-plugins.md).
        PLUGIN_OPT_NO_UNINSTALL,
    },
    {
        MYSQL_INFORMATION_SCHEMA_PLUGIN,
        &snapshots_descriptor,
        "MYSQL_PQ_SNAPSHOTS",
        "the mysql_pq authors",
        "Snapshots that sessions share, for people",
        PLUGIN_LICENSE_GPL,
        pq::snapshots_table_init,
        nullptr,
        pq::snapshots_table_deinit,
        pq::plugin_version,
        nullptr,
        nullptr,
        nullptr,
        PLUGIN_OPT_NO_UNINSTALL,  // as above
    } mysql_declare_plugin_end;
