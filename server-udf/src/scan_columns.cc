#include "scan_columns.h"

#include <optional>

#include "pure/utf8.h"

namespace pq {

namespace {

std::unexpected<Error> unsupported(const char *name, std::string_view why) {
  return fail(Code::unsupported_scan, "column '" + printable(name) + "' " + std::string(why));
}

Result<Field *> find_readable(const Table_lease &lease, const std::string &name) {
  Field *field = find_field(lease.table(), name.c_str());
  if (field == nullptr || field->is_hidden_by_system()) {
    return fail(Code::bad_argument, "there is no column '" + printable(name) + "'");
  }
  if (auto allowed = lease.check_column(field->field_name); !allowed) {
    return std::unexpected(allowed.error());
  }
  // Only the SQL layer's own items apply a policy.
  if (field->has_masking_policy()) return unsupported(field->field_name, "has a masking policy");
  if (field->is_virtual_gcol()) return unsupported(field->field_name, "is virtual");
  return field;
}

// The column is in the clustered index in whole, and perhaps a prefix of it before, as part of the key.
std::optional<ulint> find_index_field(const Tree &tree, const Field *field) {
  for (ulint i = 0; i < tree.index->n_fields; ++i) {
    const dict_field_t *part = tree.index->get_field(i);
    if (part->prefix_len != 0 || part->col->mtype == DATA_SYS || part->col->is_virtual()) continue;
    if (my_strcasecmp(system_charset_info, column_name(tree, part->col), field->field_name) == 0) {
      return i;
    }
  }
  return std::nullopt;
}

Cell_type integer(const Field *field, std::uint8_t size) {
  return {Cell_kind::stored_integer, field->is_unsigned(), size, 0, 0};
}

Cell_type timed(Cell_kind kind, const Field *field) {
  return {kind, false, 0, 0, static_cast<std::uint8_t>(field->decimals())};
}

Cell_type bits(const Field *field) {
  return {Cell_kind::stored_integer, true, static_cast<std::uint8_t>(field->pack_length()), 0, 0};
}

// As InnoDB stores it; nothing if its cells have no decoder.
std::optional<Cell_type> type_of(const Field *field) {
  switch (field->real_type()) {
    case MYSQL_TYPE_TINY:
      return integer(field, 1);
    case MYSQL_TYPE_SHORT:
      return integer(field, 2);
    case MYSQL_TYPE_INT24:
      return integer(field, 3);
    case MYSQL_TYPE_LONG:
      return integer(field, 4);
    case MYSQL_TYPE_LONGLONG:
      return integer(field, 8);
    case MYSQL_TYPE_BIT:
      return bits(field);
    case MYSQL_TYPE_FLOAT:
      return Cell_type{Cell_kind::float_number, false, 4, 0, 0};
    case MYSQL_TYPE_DOUBLE:
      return Cell_type{Cell_kind::double_number, false, 8, 0, 0};
    case MYSQL_TYPE_NEWDECIMAL:
      return Cell_type{
          Cell_kind::decimal, false, 0,
          static_cast<std::uint8_t>(static_cast<const Field_new_decimal *>(field)->precision),
          static_cast<std::uint8_t>(field->decimals())};
    case MYSQL_TYPE_NEWDATE:
      return Cell_type{Cell_kind::stored_date, false, 3, 0, 0};
    case MYSQL_TYPE_DATETIME2:
      return timed(Cell_kind::datetime, field);
    case MYSQL_TYPE_TIMESTAMP2:
      return timed(Cell_kind::timestamp, field);
    case MYSQL_TYPE_VARCHAR:
    case MYSQL_TYPE_STRING:
    case MYSQL_TYPE_BLOB:
      return Cell_type{};
    default:
      return std::nullopt;
  }
}

bool is_utf8(const CHARSET_INFO *charset) {
  return my_charset_same(charset, &my_charset_utf8mb4_bin) ||
         my_charset_same(charset, &my_charset_utf8mb3_bin) ||
         std::string_view(charset->csname) == "ascii";
}

std::size_t without_spaces(const CHARSET_INFO *charset, const unsigned char *text,
                           std::size_t size) {
  return charset->cset->lengthsp(charset, reinterpret_cast<const char *>(text), size);
}

// No character takes more in utf8mb4 than four bytes, nor fewer than one where it comes from.
constexpr std::size_t most_growth = 4;

void append_converted(const Scan_column &column, const unsigned char *text, std::size_t size,
                      std::uint32_t row, Column_buffer &buffer, std::string &scratch) {
  if (scratch.size() < size * most_growth) scratch.resize(size * most_growth);
  uint errors = 0;
  const std::size_t written =
      copy_and_convert(scratch.data(), scratch.size(), &my_charset_utf8mb4_bin,
                       reinterpret_cast<const char *>(text), size, column.charset, &errors);
  buffer.set_bytes(row, scratch.data(), written);
}

// Bounds as InnoDB stores them.
Result<std::optional<Filter_end>> encode_end(const Key_column &column,
                                             const std::optional<std::string> &written,
                                             bool inclusive) {
  if (!written) return std::nullopt;
  auto stored = encode_key(column, *written);
  if (!stored) return std::unexpected(stored.error());
  return Filter_end{std::move(*stored), inclusive};
}

Result<Filter_interval> encode_interval(const Key_column &column, const Wanted_interval &wanted) {
  auto low = encode_end(column, wanted.low, wanted.low_inclusive);
  if (!low) return std::unexpected(low.error());
  auto high = encode_end(column, wanted.high, wanted.high_inclusive);
  if (!high) return std::unexpected(high.error());
  return Filter_interval{std::move(*low), std::move(*high)};
}

// Whether the stored bytes, as numbers or one by one, sort as the values do, and equal values have equal bytes.
bool sorts_as_stored(const Key_column &column) {
  switch (column.kind) {
    case Key_kind::signed_integer:
    case Key_kind::unsigned_integer:
    case Key_kind::decimal:
    case Key_kind::double_number:
    case Key_kind::date:
    case Key_kind::datetime:
    case Key_kind::timestamp:
    case Key_kind::binary:
    case Key_kind::padded_binary:
      return true;
    case Key_kind::text:
      return column.collation == "utf8mb4_0900_bin";
    default:
      return false;
  }
}

}  // namespace

Result<Scan_column> find_scan_column(const Table_lease &lease, const Wanted_column &wanted) {
  const auto found = find_readable(lease, wanted.name);
  if (!found) return std::unexpected(found.error());
  const Field *field = *found;
  const auto index_field = find_index_field(*lease.tree(), field);
  if (!index_field) return unsupported(field->field_name, "is not in the clustered index");
  const auto type = type_of(field);
  if (!type) return unsupported(field->field_name, "is of a type without a decoder");
  const Fill_column fill = decoder_of(*type, wanted.layout);
  if (fill == nullptr) {
    return fail(Code::bad_argument,
                "values of column '" + printable(wanted.name) + "' do not fit the layout");
  }
  const bool is_text = type->kind == Cell_kind::bytes && field->charset() != &my_charset_bin;
  return Scan_column{field->field_name,
                     *index_field,
                     *type,
                     wanted.layout,
                     fill,
                     field->charset(),
                     is_text && field->real_type() == MYSQL_TYPE_STRING,
                     is_text && !is_utf8(field->charset())};
}

void fill_column(const Scan_column &column, const Cells &cells, std::uint32_t first_row,
                 Column_buffer &buffer, std::string &scratch) {
  if (!column.is_padded && !column.is_converted) {
    return column.fill(column.type, cells, first_row, buffer);
  }
  for (std::uint32_t i = 0; i < cells.count; ++i) {
    const unsigned char *text = cells.data[i];
    if (text == nullptr) {
      buffer.set_null(first_row + i);
      continue;
    }
    std::size_t size = cells.sizes[i];
    if (column.is_padded) size = without_spaces(column.charset, text, size);
    if (column.is_converted) {
      append_converted(column, text, size, first_row + i, buffer, scratch);
    } else {
      buffer.set_bytes(first_row + i, reinterpret_cast<const char *>(text), size);
    }
  }
}

Result<Scan_filter> find_scan_filter(const Table_lease &lease, const Wanted_filter &wanted) {
  const auto found = find_readable(lease, wanted.column);
  if (!found) return std::unexpected(found.error());
  Field *field = *found;
  const auto index_field = find_index_field(*lease.tree(), field);
  if (!index_field) return unsupported(field->field_name, "is not in the clustered index");
  const dict_field_t *part = lease.tree()->index->get_field(*index_field);
  const Key_part described = describe_column(part->col, 0, field);
  const auto type = type_of(field);
  // Of these InnoDB's dictionary knows no length, which values could be held against.
  const bool is_blob = field->is_flag_set(BLOB_FLAG);
  if (!type || is_blob || !sorts_as_stored(described.column)) {
    return unsupported(field->field_name, "can't be filtered by what is stored");
  }
  std::vector<Filter_interval> intervals;
  for (const Wanted_interval &interval : wanted.intervals) {
    auto encoded = encode_interval(described.column, interval);
    if (!encoded) return std::unexpected(encoded.error());
    intervals.push_back(std::move(*encoded));
  }
  return Scan_filter{field->field_name, *index_field, *type,
                     Cell_filter(*type, intervals, wanted.null_passes)};
}

}  // namespace pq
