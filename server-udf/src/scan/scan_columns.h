// Tells which columns of a table a native scan can read, and decodes their cells.

#ifndef MYSQL_PQ_SCAN_SCAN_COLUMNS_H
#define MYSQL_PQ_SCAN_SCAN_COLUMNS_H

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pure/cells.h"
#include "pure/error.h"
#include "pure/member_texts.h"
#include "pure/scan_request.h"
#include "table/table_lease.h"

namespace pq {

// A column of a table as cells of its clustered index give it. Good for as long as the table is not
// altered.
struct Stored_column {
  Field *field;
  ulint index_field;              // number among the fields of the clustered index
  std::optional<Cell_type> type;  // none if its cells have no decoder
  const CHARSET_INFO *charset;    // of `bytes`
  bool is_converted;              // to utf8mb4, before they are sent or compared
  // The cells of an ENUM or a SET are numbers. These are the texts that they stand for, in utf8mb4.
  Member_texts members;
};

// Finds columns of a table. A column that is named several times has one copy of its members. MySQL
// and InnoDB both look for a name from the first column on, so this lists all columns by their
// names once.
class Stored_columns final {
 public:
  explicit Stored_columns(const Table_lease &lease);

  [[nodiscard]] const Table_lease &lease() const { return m_lease; }

  // bad_argument if there is no such column; unsupported_scan if it can't be read from there:
  // virtual or masked.
  [[nodiscard]] Result<Stored_column> find(const std::string &name);

  // The column that a field of the clustered index holds in whole.
  [[nodiscard]] const Field *field_of(ulint index_field) const;

  // That the members of all columns found take.
  [[nodiscard]] std::size_t member_memory() const;

 private:
  struct Place {
    Field *field;
    std::optional<ulint> index_field{};
  };

  void list_fields();
  void list_index_fields();
  [[nodiscard]] Result<Place> find_readable(const std::string &name) const;
  [[nodiscard]] Member_texts members_of(const Field *field, ulint index_field);

  const Table_lease &m_lease;
  // The names are in small letters, as the server compares them. A collation would take e and é for
  // one.
  std::unordered_map<std::string, Place> m_places;
  std::vector<const Field *> m_fields;  // by number of the index's field
  std::map<ulint, Member_texts> m_members;
};

// What values of the column mean, in the words of docs/protocol.md.
[[nodiscard]] std::string type_name(const Stored_column &column);

// The errors of Stored_columns::find; other_type if the column is not what the caller takes it for.
[[nodiscard]] Result<void> check_type(Stored_columns &columns, const Wanted_type &wanted);

[[nodiscard]] std::unexpected<Error> unsupported_column(const Field *field, std::string_view why);

struct Scan_column {
  std::string name;
  ulint field;  // number among the fields of the clustered index
  Cell_type type;
  Layout layout;
  Fill_column fill;
  const CHARSET_INFO *charset;  // of `bytes`
  bool has_plain_spaces;        // the character set
  bool is_converted;            // to utf8mb4
  Member_texts members;
};

// The errors of Stored_columns::find; bad_argument if its values do not fit the layout;
// unsupported_scan if they have no decoder.
[[nodiscard]] Result<Scan_column> find_scan_column(Stored_columns &columns,
                                                   const Wanted_column &wanted);

// Decodes the cells into rows of the column from `first_row` on. The scratch is memory to be used
// again.
void fill_column(const Scan_column &column, const Cells &cells, std::uint32_t first_row,
                 Column_buffer &buffer, std::string &scratch);

// Text that is converted to utf8mb4 takes at most this many times its bytes.
constexpr std::size_t most_growth = 4;

// Writes the text in utf8mb4 to a place with room for it. Returns its bytes.
[[nodiscard]] std::size_t convert_text(const CHARSET_INFO *charset, const unsigned char *text,
                                       std::size_t size, char *to, std::size_t room);

}  // namespace pq

#endif
