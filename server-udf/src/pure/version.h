// The extension's own version, and what it knows of the protocol.
//
// The build can stamp two others, for tests of a connector beside an extension that is older (it
// lacks what came to the protocol later) or newer (its protocol has another number).

#ifndef MYSQL_PQ_PURE_VERSION_H
#define MYSQL_PQ_PURE_VERSION_H

namespace pq {

#if defined(PQ_STAMP_OLDER)
constexpr char extension_version[] = "0.0.9";
constexpr int protocol_version = 1;
constexpr bool knows_additions = false;
#elif defined(PQ_STAMP_NEWER)
constexpr char extension_version[] = "9.0.0";
constexpr int protocol_version = 2;
constexpr bool knows_additions = true;
#else
constexpr char extension_version[] = "0.2.0";
constexpr int protocol_version = 1;
constexpr bool knows_additions = true;
#endif

constexpr unsigned plugin_version = 0x0001;  // major.minor, as SHOW PLUGINS wants it

}  // namespace pq

#endif
