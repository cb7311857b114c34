// Spreads what single pages were seen to keep off-page over those between them.

#ifndef MYSQL_PQ_PURE_SEEN_VALUES_H
#define MYSQL_PQ_PURE_SEEN_VALUES_H

#include <vector>

namespace pq {

// What one page of a part was seen to keep off-page, taken for all of its pages.
struct Looked_at {
  double pages;
  double values;  // seen on the page
  double bytes;   // of the part
};

// What begins within a part is not on its first page: a part that saw nothing, before one that saw
// enough by itself, is taken to keep half as much, page by page.
void doubt_beginnings(std::vector<Looked_at> &parts);

// One page says little of others if it has few such values: neighbours that saw few share, page by
// page, what they saw together. Those that saw none are left out where that can hardly be chance,
// because the values beside them are much closer to each other.
void even_out(std::vector<Looked_at> &parts);

}  // namespace pq

#endif
