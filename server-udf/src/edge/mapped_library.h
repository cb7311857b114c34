// Keeps the library's code in memory.

#ifndef MYSQL_PQ_EDGE_MAPPED_LIBRARY_H
#define MYSQL_PQ_EDGE_MAPPED_LIBRARY_H

namespace pq {

// Keeps the library mapped until the process ends, even if the server closes it. One case needs
// this: the server closes the library while a statement still holds one of our functions
// (docs/decisions/two-plugins.md).
void keep_library_mapped() noexcept;

}  // namespace pq

#endif
