// The SQL layer's headers that the extension needs, every use of MYSQL_VERSION_ID, and, as in
// innodb_compat.h, what other versions have under other names (docs/decisions/other-versions.md).
//
// The room `server` holds what the other rooms need of the running mysqld: its headers, guards of
// its latches, settings, instruments, and whether a statement may run at all. It proves that its
// class layouts are those of the server (canary.h). It must not know what a request asks for: no
// range, scan or snapshot.

#ifndef MYSQL_PQ_SERVER_MYSQL_COMPAT_H
#define MYSQL_PQ_SERVER_MYSQL_COMPAT_H

#include "my_config.h"

#include "mysql_version.h"

// The series whose internals the extension knows. This is the only list of them. A next one enters
// it when somebody has read what changed in the server (docs/decisions/mysql-8.4.md).
#define PQ_SERIES(major, minor) (MYSQL_VERSION_ID / 100 == (major)*100 + (minor))
#if !PQ_SERIES(8, 4) && !PQ_SERIES(9, 7)
#error "mysql_pq does not support this series of MySQL: docs/DEVELOPMENT.md says how to add one"
#endif

#include "my_psi_config.h"

#if !defined(HAVE_PSI_MEMORY_INTERFACE) || !defined(HAVE_PSI_TABLE_INTERFACE)
#error "mysql_pq needs performance_schema's instruments of memory and tables"
#endif

// What the builder adds to the version. 8.4 has it in mysql_version.h.
#if !PQ_SERIES(8, 4)
#include "mysql_server_suffix.h"
#endif

#include "my_sys.h"
#include "mysql/strings/m_ctype.h"
#include "mysqld_error.h"
#include "sql/auth/auth_acls.h"
#include "sql/auth/auth_common.h"
#include "sql/dd/cache/dictionary_client.h"
#include "sql/dd/types/abstract_table.h"
#include "sql/dd/types/partition.h"
#include "sql/dd/types/table.h"
#include "sql/field.h"
#include "sql/key.h"
#include "sql/mysqld.h"
#include "sql/partition_info.h"
#include "sql/sql_base.h"
#include "sql/sql_class.h"
#include "sql/sql_lex.h"
#include "sql/sql_show.h"
#include "sql/strfunc.h"
#include "sql/table.h"
#include "sql/table_cache.h"

namespace pq {

#if PQ_SERIES(8, 4)
// 8.4 has no such policies.
inline bool has_masking_policy(const Field *) { return false; }
#else
inline bool has_masking_policy(const Field *field) { return field->has_masking_policy(); }
#endif

// The version in the headers of this build, and the one that the server says, with what its builder
// added. From 9.7.4 on they have a fourth number, for updates of a release, which MYSQL_VERSION_ID
// lacks.
#ifdef MYSQL_SERVER_VERSION_WITH_UPDATE
constexpr char version_in_headers[] = MYSQL_SERVER_VERSION_WITH_UPDATE MYSQL_SERVER_SUFFIX_DEF;
inline const char *version_of_server() { return server_version_with_update; }
#else
constexpr char version_in_headers[] = MYSQL_SERVER_VERSION MYSQL_SERVER_SUFFIX_DEF;
inline const char *version_of_server() { return server_version; }
#endif

}  // namespace pq

#endif
