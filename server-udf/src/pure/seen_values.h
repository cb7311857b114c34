// Spreads what single pages were seen to keep off-page over those between them.

#ifndef MYSQL_PQ_PURE_SEEN_VALUES_H
#define MYSQL_PQ_PURE_SEEN_VALUES_H

#include <vector>

namespace pq {

// Says what one page of a part was seen to keep off-page. The page stands for all pages of the
// part.
struct Looked_at {
  double pages;
  double values;  // seen on the page
  double bytes;   // of the part
};

// Corrects parts in whose midst values may begin, where the first page does not show them. A part
// that saw nothing, before one that saw enough by itself, is taken to keep half as much, page by
// page.
void doubt_beginnings(std::vector<Looked_at> &parts);

// Evens out what single pages saw. One page says little about others if it has few such values.
// Therefore neighbours that saw few share, page by page, what they saw together. A run of parts
// that saw none is left out where that can hardly be chance, because the values beside it are much
// closer to each other.
void even_out(std::vector<Looked_at> &parts);

}  // namespace pq

#endif
