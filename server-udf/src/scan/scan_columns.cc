#include "scan/scan_columns.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "pure/stored_numbers.h"
#include "pure/utf8.h"

namespace pq {

namespace {

Cell_type integer(const Field *field, std::uint8_t size) {
  return {Cell_kind::stored_integer, field->is_unsigned(), size, 0, 0};
}

Cell_type timed(Cell_kind kind, const Field *field) {
  return {kind, false, 0, 0, static_cast<std::uint8_t>(field->decimals())};
}

Cell_type bits(const Field *field) {
  return {Cell_kind::stored_integer, true, static_cast<std::uint8_t>(field->pack_length()), 0, 0};
}

// How InnoDB stores the field; nothing if its cells have no decoder.
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
    case MYSQL_TYPE_ENUM:
    case MYSQL_TYPE_SET:
      // Members of bytes are no text.
      if (field->charset() == &my_charset_bin) return std::nullopt;
      return bits(field);
    case MYSQL_TYPE_YEAR:
      return Cell_type{Cell_kind::year, true, 1, 0, 0};
    case MYSQL_TYPE_TIME2:
      return timed(Cell_kind::time, field);
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
    case MYSQL_TYPE_BLOB:
      return Cell_type{};
    case MYSQL_TYPE_STRING:
      return Cell_type{.is_padded = field->charset() != &my_charset_bin};
    default:
      return std::nullopt;
  }
}

// InnoDB ignores a column's format. Forks of MySQL have one that it does not: compressed cells.
bool has_plain_cells(const Field *field) {
  switch (field->column_format()) {
    case COLUMN_FORMAT_TYPE_DEFAULT:
    case COLUMN_FORMAT_TYPE_FIXED:
    case COLUMN_FORMAT_TYPE_DYNAMIC:
      return true;
  }
  return false;
}

bool is_utf8(const CHARSET_INFO *charset) {
  return my_charset_same(charset, &my_charset_utf8mb4_bin) ||
         my_charset_same(charset, &my_charset_utf8mb3_bin) ||
         std::string_view(charset->csname) == "ascii";
}

// Whether a space at the end is one byte, as in all character sets whose characters may have one.
bool has_plain_spaces(const CHARSET_INFO *charset) {
  return charset->cset->lengthsp == my_charset_utf8mb4_bin.cset->lengthsp;
}

std::size_t without_spaces(const Scan_column &column, const unsigned char *text, std::size_t size) {
  if (!column.has_plain_spaces) {
    return column.charset->cset->lengthsp(column.charset, reinterpret_cast<const char *>(text),
                                          size);
  }
  constexpr std::uint64_t spaces = 0x2020202020202020;
  while (size >= sizeof(spaces) && little_endian(text + size - sizeof(spaces), 8) == spaces) {
    size -= sizeof(spaces);
  }
  while (size > 0 && text[size - 1] == ' ') --size;
  return size;
}

std::string_view converted(const Scan_column &column, std::string_view text, std::string &scratch) {
  if (scratch.size() < text.size() * most_growth) scratch.resize(text.size() * most_growth);
  const auto *stored = reinterpret_cast<const unsigned char *>(text.data());
  return {scratch.data(),
          convert_text(column.charset, stored, text.size(), scratch.data(), scratch.size())};
}

void append_members(const Scan_column &column, const Cells &cells, std::uint32_t first_row,
                    Column_buffer &buffer, std::string &scratch) {
  buffer.append_bytes(first_row, cells.count, [&](std::uint32_t row) -> std::string_view {
    const unsigned char *cell = cells.at(row);
    if (cell == nullptr) return {};
    const std::string_view member =
        column.members.text(big_endian(cell, column.type.size), scratch);
    return member.data() == nullptr ? std::string_view("") : member;
  });
}

Member_texts read_members(const Field *field, bool is_set) {
  const TYPELIB *texts = static_cast<const Field_enum *>(field)->typelib;
  std::vector<std::string> members(texts->count);
  std::string scratch;
  for (std::size_t i = 0; i < texts->count; ++i) {
    const auto *text = reinterpret_cast<const unsigned char *>(texts->type_names[i]);
    scratch.resize(std::max(scratch.size(), texts->type_lengths[i] * most_growth));
    members[i].assign(scratch.data(), convert_text(field->charset(), text, texts->type_lengths[i],
                                                   scratch.data(), scratch.size()));
  }
  return is_set ? Member_texts::of_set(std::move(members))
                : Member_texts::of_enum(std::move(members));
}

std::string in_small_letters(std::string name) {
  my_casedn_str(system_charset_info, name.data());
  name.resize(std::strlen(name.c_str()));
  return name;
}

}  // namespace

std::unexpected<Error> unsupported_column(const Field *field, std::string_view why) {
  return fail(Code::unsupported_scan,
              "column '" + printable(field->field_name) + "' " + std::string(why));
}

Stored_columns::Stored_columns(const Table_lease &lease)
    : m_lease(lease), m_fields(lease.tree()->index->n_fields) {
  list_fields();
  list_index_fields();
}

void Stored_columns::list_fields() {
  for (Field **field = m_lease.table()->field; *field != nullptr; ++field) {
    m_places.emplace(in_small_letters((*field)->field_name), Place{*field});
  }
}

// A column is in the clustered index in whole, and perhaps a prefix of it before, as part of the
// key.
void Stored_columns::list_index_fields() {
  const Tree &tree = *m_lease.tree();
  std::vector<const char *> names;  // one behind the other, as InnoDB keeps them
  const char *name = tree.table->col_names;
  for (ulint i = 0; i < tree.table->get_n_cols(); ++i) {
    names.push_back(name);
    name += std::strlen(name) + 1;
  }
  for (ulint i = 0; i < tree.index->n_fields; ++i) {
    const dict_field_t *part = tree.index->get_field(i);
    if (part->prefix_len != 0 || part->col->mtype == DATA_SYS || part->col->is_virtual()) continue;
    const auto place = m_places.find(in_small_letters(names[dict_col_get_no(part->col)]));
    if (place == m_places.end() || place->second.index_field) continue;
    place->second.index_field = i;
    m_fields[i] = place->second.field;
  }
}

const Field *Stored_columns::field_of(ulint index_field) const { return m_fields[index_field]; }

Result<Stored_columns::Place> Stored_columns::find_readable(const std::string &name) const {
  // This comes first and takes the name as it was given: only who may read a column may know that
  // there is one.
  if (auto allowed = m_lease.check_column(name.c_str()); !allowed) {
    return std::unexpected(allowed.error());
  }
  const auto place = m_places.find(in_small_letters(name));
  if (place == m_places.end() || place->second.field->is_hidden_by_system()) {
    return fail(Code::bad_argument, "there is no column '" + printable(name) + "'");
  }
  const Field *field = place->second.field;
  // Only the SQL layer's own items apply a policy.
  if (has_masking_policy(field)) return unsupported_column(field, "has a masking policy");
  if (!has_plain_cells(field)) return unsupported_column(field, "is of an unknown COLUMN_FORMAT");
  if (field->is_virtual_gcol()) return unsupported_column(field, "is virtual");
  if (!place->second.index_field) return unsupported_column(field, "is not in the clustered index");
  return place->second;
}

Member_texts Stored_columns::members_of(const Field *field, ulint index_field) {
  const bool is_set = field->real_type() == MYSQL_TYPE_SET;
  if (!is_set && field->real_type() != MYSQL_TYPE_ENUM) return {};
  const auto known = m_members.find(index_field);
  if (known != m_members.end()) return known->second;
  return m_members.emplace(index_field, read_members(field, is_set)).first->second;
}

std::size_t Stored_columns::member_memory() const {
  return std::accumulate(
      m_members.begin(), m_members.end(), std::size_t{0},
      [](std::size_t bytes, const auto &one) { return bytes + one.second.memory(); });
}

Result<Stored_column> Stored_columns::find(const std::string &name) {
  const auto found = find_readable(name);
  if (!found) return std::unexpected(found.error());
  const auto [field, index_field] = *found;
  const auto type = type_of(field);
  const bool is_text =
      type && type->kind == Cell_kind::bytes && field->charset() != &my_charset_bin;
  return Stored_column{field,
                       *index_field,
                       type,
                       field->charset(),
                       is_text && !is_utf8(field->charset()),
                       members_of(field, *index_field)};
}

std::string type_name(const Stored_column &column) {
  const auto with = [](std::string_view name, auto... digits) {
    std::string text(name);
    char separator = '(';
    ((text += separator + std::to_string(digits), separator = ','), ...);
    return text + ')';
  };
  if (!column.members.empty()) return "text";
  if (!column.type) return "other";
  switch (column.type->kind) {
    case Cell_kind::stored_integer:
      return column.field->real_type() == MYSQL_TYPE_BIT ? with("bit", column.field->field_length)
                                                         : "integer";
    case Cell_kind::float_number:
      return "float";
    case Cell_kind::double_number:
      return "double";
    case Cell_kind::decimal:
      return with("decimal", column.type->precision, column.type->scale);
    case Cell_kind::stored_date:
      return "date";
    case Cell_kind::datetime:
      return with("datetime", column.type->scale);
    case Cell_kind::timestamp:
      return with("timestamp", column.type->scale);
    case Cell_kind::time:
      return with("time", column.type->scale);
    case Cell_kind::year:
      return "year";
    case Cell_kind::bytes:
      return column.charset == &my_charset_bin ? "bytes" : "text";
  }
  return "other";
}

Result<void> check_type(Stored_columns &columns, const Wanted_type &wanted) {
  const auto found = columns.find(wanted.column);
  if (!found) return std::unexpected(found.error());
  const std::string type = type_name(*found);
  if (type == wanted.type) return {};
  return fail(Code::other_type, "column '" + printable(wanted.column) + "' is " + type + ", not " +
                                    printable(wanted.type));
}

Result<Scan_column> find_scan_column(Stored_columns &columns, const Wanted_column &wanted) {
  const auto found = columns.find(wanted.name);
  if (!found) return std::unexpected(found.error());
  const auto &[field, index_field, type, charset, is_converted, members] = *found;
  if (!type) return unsupported_column(field, "is of a type without a decoder");
  // Which MySQL shows otherwise than a FLOAT.
  if (type->kind == Cell_kind::float_number && field->decimals() < DECIMAL_NOT_SPECIFIED) {
    return unsupported_column(field, "is a FLOAT with a fixed number of decimals");
  }
  const Fill_column fill = decoder_of(members.empty() ? *type : Cell_type{}, wanted.layout);
  if (fill == nullptr) {
    return fail(Code::bad_argument,
                "values of column '" + printable(wanted.name) + "' do not fit the layout");
  }
  return Scan_column{field->field_name,         index_field,  *type,  wanted.layout, fill, charset,
                     has_plain_spaces(charset), is_converted, members};
}

void fill_column(const Scan_column &column, const Cells &cells, std::uint32_t first_row,
                 Column_buffer &buffer, std::string &scratch) {
  if (!column.members.empty()) return append_members(column, cells, first_row, buffer, scratch);
  if (!column.type.is_padded && !column.is_converted) {
    return column.fill(column.type, cells, first_row, buffer);
  }
  const bool is_padded = column.type.is_padded;
  const auto text = [&](std::uint32_t row) -> std::string_view {
    const unsigned char *cell = cells.at(row);
    if (cell == nullptr) return {};
    const std::size_t size = cells.sizes[row];
    return {reinterpret_cast<const char *>(cell),
            is_padded ? without_spaces(column, cell, size) : size};
  };
  if (!column.is_converted) return buffer.append_bytes(first_row, cells.count, text);
  buffer.append_bytes(first_row, cells.count, [&](std::uint32_t row) {
    const std::string_view stored = text(row);
    return stored.data() == nullptr ? stored : converted(column, stored, scratch);
  });
}

std::size_t convert_text(const CHARSET_INFO *charset, const unsigned char *text, std::size_t size,
                         char *to, std::size_t room) {
  uint errors = 0;
  return copy_and_convert(to, room, &my_charset_utf8mb4_bin, reinterpret_cast<const char *>(text),
                          size, charset, &errors);
}

}  // namespace pq
