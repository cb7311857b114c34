// Tells which columns of a table a native scan can read, and decodes their cells.

#ifndef MYSQL_PQ_SCAN_COLUMNS_H
#define MYSQL_PQ_SCAN_COLUMNS_H

#include <string>
#include <vector>

#include "pure/cell_filter.h"
#include "pure/cells.h"
#include "pure/error.h"
#include "pure/scan_request.h"
#include "table_lease.h"

namespace pq {

// Good for as long as the table is not altered.
struct Scan_column {
  std::string name;
  ulint field;  // number among the fields of the clustered index
  Cell_type type;
  Layout layout;
  Fill_column fill;
  const CHARSET_INFO *charset;  // of `bytes`
  bool is_padded;               // with spaces that are no part of the value
  bool is_converted;            // to utf8mb4
};

// The column as cells of a clustered index give it. bad_argument if there is no such column or its values do not fit the
// layout; unsupported_scan if it can't be read from there: virtual, masked, or of a type without a decoder.
[[nodiscard]] Result<Scan_column> find_scan_column(const Table_lease &lease,
                                                   const Wanted_column &wanted);

// Decodes the cells into rows of the column from `first_row` on. The scratch is memory to be used again.
void fill_column(const Scan_column &column, const Cells &cells, std::uint32_t first_row,
                 Column_buffer &buffer, std::string &scratch);

// A filter and the number of its field among those of the clustered index.
struct Scan_filter {
  std::string name;
  ulint field;
  Cell_type type;
  Cell_filter filter;
};

// bad_argument if a value does not fit the column; unsupported_scan if its values cannot be compared as they are stored.
[[nodiscard]] Result<Scan_filter> find_scan_filter(const Table_lease &lease,
                                                   const Wanted_filter &wanted);

}  // namespace pq

#endif
