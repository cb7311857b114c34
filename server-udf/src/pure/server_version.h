// Whether a library was built for the server that loads it, by the server's version.

#ifndef MYSQL_PQ_PURE_SERVER_VERSION_H
#define MYSQL_PQ_PURE_SERVER_VERSION_H

#include <string_view>

namespace pq {

// `built_for` is the version in the headers of the library's build, such as 9.7.4.0-2: the release,
// the number of an update to it, and what the builder added. `server` is what the server says of
// itself. It must be the same text, and may end in words for assertions and sanitizers, such as
// -debug.
[[nodiscard]] bool is_built_for(std::string_view built_for, std::string_view server) noexcept;

}  // namespace pq

#endif
