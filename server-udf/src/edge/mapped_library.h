// Keeps the library's code in memory.

#ifndef MYSQL_PQ_EDGE_MAPPED_LIBRARY_H
#define MYSQL_PQ_EDGE_MAPPED_LIBRARY_H

namespace pq {

// From now on the library stays mapped until the process ends, even if the server closes it: for
// the one case that it goes on to close while a statement still holds one of our functions.
void keep_library_mapped() noexcept;

}  // namespace pq

#endif
