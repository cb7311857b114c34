#include "tree/key_description.h"

#include "pure/utf8.h"

namespace pq {

namespace {

// A type the extension knows: its SQL name and how InnoDB stores it.
struct Known_type {
  enum_field_types type;
  const char *name;
  Key_kind kind;  // of an integer, the signed one
};

constexpr Known_type known_types[] = {
    {MYSQL_TYPE_TINY, "tinyint", Key_kind::signed_integer},
    {MYSQL_TYPE_SHORT, "smallint", Key_kind::signed_integer},
    {MYSQL_TYPE_INT24, "mediumint", Key_kind::signed_integer},
    {MYSQL_TYPE_LONG, "int", Key_kind::signed_integer},
    {MYSQL_TYPE_LONGLONG, "bigint", Key_kind::signed_integer},
    {MYSQL_TYPE_NEWDECIMAL, "decimal", Key_kind::decimal},
    {MYSQL_TYPE_FLOAT, "float", Key_kind::float_number},
    {MYSQL_TYPE_DOUBLE, "double", Key_kind::double_number},
    {MYSQL_TYPE_BIT, "bit", Key_kind::unsigned_integer},
    {MYSQL_TYPE_ENUM, "enum", Key_kind::unsigned_integer},
    {MYSQL_TYPE_SET, "set", Key_kind::unsigned_integer},
    {MYSQL_TYPE_YEAR, "year", Key_kind::year},
    {MYSQL_TYPE_NEWDATE, "date", Key_kind::date},
    {MYSQL_TYPE_TIME2, "time", Key_kind::time},
    {MYSQL_TYPE_DATETIME2, "datetime", Key_kind::datetime},
    {MYSQL_TYPE_TIMESTAMP2, "timestamp", Key_kind::timestamp},
    {MYSQL_TYPE_VARCHAR, "varchar", Key_kind::text},
    {MYSQL_TYPE_STRING, "char", Key_kind::padded_text},
    {MYSQL_TYPE_TINY_BLOB, "tinytext", Key_kind::text},
    {MYSQL_TYPE_BLOB, "text", Key_kind::text},
    {MYSQL_TYPE_MEDIUM_BLOB, "mediumtext", Key_kind::text},
    {MYSQL_TYPE_LONG_BLOB, "longtext", Key_kind::text},
};

// What a type of text is called when its charset is `binary`.
struct Binary_name {
  std::string_view text;
  const char *binary;
};

constexpr Binary_name binary_names[] = {
    {"varchar", "varbinary"}, {"char", "binary"},           {"tinytext", "tinyblob"},
    {"text", "blob"},         {"mediumtext", "mediumblob"}, {"longtext", "longblob"},
};

// Collations whose comparison is no order (9.7.4), so that an index and a predicate disagree on
// which rows are in a range: padded strings with Thai tone marks, and characters of two bytes that
// equal ones of four, as in _gb18030'é' and 'É'.
bool is_no_order(const Key_column &column, std::string_view collation) {
  return collation == "gb18030_chinese_ci" ||
         (collation == "tis620_thai_ci" && column.kind == Key_kind::padded_text);
}

void describe_binary(Key_column &column) {
  for (const Binary_name &name : binary_names) {
    if (name.text != column.type) continue;
    column.type = name.binary;
    break;
  }
  column.kind = column.kind == Key_kind::text ? Key_kind::binary : Key_kind::padded_binary;
}

void describe_text(Key_column &column, const Field *field) {
  const CHARSET_INFO *charset = field->charset();
  if (charset == &my_charset_bin) return describe_binary(column);
  if (is_no_order(column, charset->m_coll_name)) {
    column.kind = Key_kind::unsupported;
    return;
  }
  column.charset = charset->csname;
  column.collation = charset->m_coll_name;
  column.space_bytes = static_cast<std::uint8_t>(charset->mbminlen);
  if (column.prefix) *column.prefix /= charset->mbmaxlen;
}

std::uint64_t greatest_of_bits(std::size_t bits) {
  return bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
}

// These are stored as unsigned integers, of which fewer are in use than their bytes hold.
void describe_members(Key_column &column, const Field *field) {
  switch (field->real_type()) {
    case MYSQL_TYPE_BIT:
      column.greatest = greatest_of_bits(field->field_length);
      break;
    case MYSQL_TYPE_ENUM:
      column.greatest = static_cast<const Field_enum *>(field)->typelib->count;
      column.is_listed = true;
      break;
    case MYSQL_TYPE_SET:
      column.greatest = greatest_of_bits(static_cast<const Field_set *>(field)->typelib->count);
      column.is_listed = true;
      break;
    default:
      break;
  }
}

void describe_number(Key_column &column, const Field *field) {
  column.is_unsigned = field->is_unsigned();
  if (column.kind == Key_kind::signed_integer && column.is_unsigned) {
    column.kind = Key_kind::unsigned_integer;
  }
  if (column.kind != Key_kind::decimal) return;
  column.precision =
      static_cast<std::uint8_t>(static_cast<const Field_new_decimal *>(field)->precision);
  column.scale = static_cast<std::uint8_t>(field->decimals());
}

void describe_type(Key_column &column, const Field *field) {
  column.type = "other";
  for (const Known_type &known : known_types) {
    if (known.type != field->real_type()) continue;
    column.type = known.name;
    column.kind = known.kind;
  }
  switch (column.kind) {
    case Key_kind::text:
    case Key_kind::padded_text:
      return describe_text(column, field);
    case Key_kind::time:
    case Key_kind::datetime:
    case Key_kind::timestamp:
      column.scale = static_cast<std::uint8_t>(field->decimals());
      return;
    case Key_kind::unsigned_integer:
      return describe_members(column, field);
    case Key_kind::year:  // MySQL calls it unsigned; nobody else does
      return;
    default:
      return describe_number(column, field);
  }
}

// InnoDB's name of it, which no column can have.
Key_part describe_row_id() {
  Key_part described{{}, nullptr};
  Key_column &column = described.column;
  column.name = "DB_ROW_ID";
  column.type = "row id";
  column.kind = Key_kind::unsigned_integer;
  column.is_unsigned = true;
  column.max_bytes = DATA_ROW_ID_LEN;
  return described;
}

Key_part describe_part(TABLE *table, const Tree &tree, const dict_field_t *part) {
  Key_part described =
      describe_column(part->col, part->prefix_len, find_field(table, column_name(tree, part->col)));
  Key_column &column = described.column;
  column.name = column_name(tree, part->col);
  column.descending = part->is_ascending == 0;
  return described;
}

}  // namespace

// A virtual column's `ind` is its position among all columns of the table, not among the virtual
// ones: taken for that, it would name another column, and the wrong privilege would be checked.
const char *column_name(const Tree &tree, const dict_col_t *col) {
  if (!col->is_virtual()) return tree.table->get_col_name(dict_col_get_no(col));
  return dict_table_get_v_col_name(tree.table, reinterpret_cast<const dict_v_col_t *>(col)->v_pos);
}

Field *find_field(TABLE *table, const char *name) {
  for (Field **field = table->field; *field != nullptr; ++field) {
    if (my_strcasecmp(system_charset_info, (*field)->field_name, name) == 0) return *field;
  }
  return nullptr;
}

Key_part describe_column(const dict_col_t *col, ulint prefix_bytes, Field *field) {
  Key_part described{{}, field};
  Key_column &column = described.column;
  column.nullable = (col->prtype & DATA_NOT_NULL) == 0;
  column.max_bytes = static_cast<std::uint32_t>(prefix_bytes != 0 ? prefix_bytes : col->len);
  if (prefix_bytes != 0) column.prefix = static_cast<std::uint32_t>(prefix_bytes);
  if (field == nullptr) return described;
  column.name = field->field_name;
  describe_type(column, field);
  return described;
}

bool ends_with_row_id(const Tree &tree) {
  const ulint size = dict_index_get_n_unique_in_tree(tree.index);
  return !tree.index->is_clustered() && tree.index->get_col(size - 1)->mtype == DATA_SYS;
}

std::vector<Key_part> describe_key(TABLE *table, const Tree &tree) {
  if (is_by_row_id(tree)) return {describe_row_id()};
  std::vector<Key_part> parts;
  const ulint size = dict_index_get_n_unique_in_tree(tree.index) - (ends_with_row_id(tree) ? 1 : 0);
  for (ulint i = 0; i < size; ++i) {
    parts.push_back(describe_part(table, tree, tree.index->get_field(i)));
  }
  return parts;
}

Result<void> check_supported(const std::vector<Key_part> &parts) {
  for (const Key_part &part : parts) {
    if (!encoding_of(part.column.kind)) {
      return fail(Code::unsupported_key,
                  "column '" + printable(part.column.name) + "' is of a type without an encoding");
    }
  }
  return {};
}

}  // namespace pq
