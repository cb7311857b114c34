// The extension's own version.

#ifndef MYSQL_PQ_VERSION_H
#define MYSQL_PQ_VERSION_H

namespace pq {

constexpr char extension_version[] = "0.1.0";
constexpr unsigned plugin_version = 0x0001;  // major.minor, as SHOW PLUGINS wants it

}  // namespace pq

#endif
