// The table INFORMATION_SCHEMA.MYSQL_PQ_RANGES: the ranges of one table, for people.

#include <array>

#include "edge/gate.h"
#include "edge/plugin_lifecycle.h"
#include "edge/table_edge.h"
#include "planning/range_plan.h"
#include "pure/readable_key.h"
#include "server/mysql_compat.h"
#include "server/settings.h"
#include "sql/item.h"
#include "sql/item_cmpfunc.h"

namespace pq {

namespace {

enum Column : unsigned {
  table_schema,
  table_name,
  partition_name,
  index_name,
  range_count,
  range_no,
  tree_level,
  tree_height,
  lower_key,
  upper_key,
  estimated_rows,
  estimated_pages,
  column_count
};

constexpr unsigned key_characters = 16 * 1024;
constexpr long long default_range_count = 16;

ST_FIELD_INFO columns[] = {
    {"TABLE_SCHEMA", NAME_CHAR_LEN, MYSQL_TYPE_STRING, 0, 0, "", 0},
    {"TABLE_NAME", NAME_CHAR_LEN, MYSQL_TYPE_STRING, 0, 0, "", 0},
    {"PARTITION_NAME", NAME_CHAR_LEN, MYSQL_TYPE_STRING, 0, MY_I_S_MAYBE_NULL, "", 0},
    {"INDEX_NAME", NAME_CHAR_LEN, MYSQL_TYPE_STRING, 0, 0, "", 0},
    {"RANGE_COUNT", 10, MYSQL_TYPE_LONGLONG, 0, 0, "", 0},
    {"RANGE_NO", 10, MYSQL_TYPE_LONGLONG, 0, 0, "", 0},
    {"LEVEL", 10, MYSQL_TYPE_LONGLONG, 0, 0, "", 0},
    {"HEIGHT", 10, MYSQL_TYPE_LONGLONG, 0, MY_I_S_MAYBE_NULL, "", 0},
    {"LOWER_KEY", key_characters, MYSQL_TYPE_STRING, 0, MY_I_S_MAYBE_NULL, "", 0},
    {"UPPER_KEY", key_characters, MYSQL_TYPE_STRING, 0, MY_I_S_MAYBE_NULL, "", 0},
    {"ESTIMATED_ROWS", MY_INT64_NUM_DECIMAL_DIGITS, MYSQL_TYPE_LONGLONG, 0,
     MY_I_S_MAYBE_NULL | MY_I_S_UNSIGNED, "", 0},
    {"ESTIMATED_PAGES", MY_INT64_NUM_DECIMAL_DIGITS, MYSQL_TYPE_LONGLONG, 0,
     MY_I_S_MAYBE_NULL | MY_I_S_UNSIGNED, "", 0},
    {nullptr, 0, MYSQL_TYPE_NULL, 0, 0, nullptr, 0}};

// The constants that the WHERE clause fixes columns of the table to.
class Fixed_columns final {
 public:
  Fixed_columns(const TABLE *table, Item *condition) : m_table(table) { collect(condition); }

  [[nodiscard]] const std::optional<std::string> &value(Column column) const {
    return m_values[column];
  }

 private:
  void collect(Item *condition) {
    if (condition == nullptr) return;
    if (condition->type() == Item::COND_ITEM) {
      auto *list = down_cast<Item_cond *>(condition);
      if (list->functype() != Item_func::COND_AND_FUNC) return;
      for (Item &item : *list->argument_list()) collect(&item);
    } else if (condition->type() == Item::FUNC_ITEM) {
      auto *function = down_cast<Item_func *>(condition);
      if (function->functype() == Item_func::EQ_FUNC) {
        fix(function->arguments()[0], function->arguments()[1]);
        fix(function->arguments()[1], function->arguments()[0]);
      }
    }
  }

  void fix(Item *column, Item *constant) {
    Item *real = column->real_item();
    if (real->type() != Item::FIELD_ITEM || !constant->const_for_execution()) return;
    const Field *field = down_cast<Item_field *>(real)->field;
    if (field->table != m_table) return;
    String buffer;
    String *text = constant->val_str(&buffer);
    if (text == nullptr) return;
    uint errors = 0;
    String converted;
    converted.copy(text->ptr(), text->length(), text->charset(), &my_charset_utf8mb4_bin, &errors);
    m_values[field->field_index()] = std::string(converted.ptr(), converted.length());
  }

  const TABLE *m_table;
  std::array<std::optional<std::string>, column_count> m_values;
};

Argument as_argument(const std::optional<std::string> &text, std::string_view absent) {
  return text ? std::string_view(*text) : absent;
}

Result<Range_request> read_request(const Fixed_columns &fixed) {
  const std::string count = fixed.value(range_count).value_or(std::to_string(default_range_count));
  return read_range_request(as_argument(fixed.value(table_schema), ""),
                            as_argument(fixed.value(table_name), ""),
                            as_argument(fixed.value(index_name), "PRIMARY"),
                            std::string_view(count), std::monostate(), settings::max_ranges());
}

// Writes the ranges of one plan as rows.
class Row_writer final {
 public:
  Row_writer(THD *thd, TABLE *table, const Range_reply &reply)
      : m_thd(thd), m_table(table), m_reply(reply) {}

  Result<void> write_all() {
    for (std::size_t range = 0; range <= m_reply.boundaries.size(); ++range) {
      write(range);
      if (schema_table_store_record(m_thd, m_table)) {
        return fail(Code::reported, "row not stored");
      }
    }
    return {};
  }

 private:
  void write(std::size_t range) {
    restore_record(m_table, s->default_values);
    store(table_schema, m_reply.target.schema);
    store(table_name, m_reply.target.table);
    store(partition_name, m_reply.target.partition);
    store(index_name, m_reply.target.index);
    store(range_count, static_cast<std::uint64_t>(m_reply.count_requested));
    store(range_no, std::uint64_t{range});
    store(tree_level, std::uint64_t{m_reply.level});
    if (range > 0) store(lower_key, key(range - 1));
    if (range < m_reply.boundaries.size()) store(upper_key, key(range));
    if (!m_reply.sizes) return;
    store(tree_height, std::uint64_t{m_reply.sizes->height});
    store(estimated_rows, m_reply.sizes->rows[range]);
    store(estimated_pages, m_reply.sizes->pages[range]);
  }

  std::string key(std::size_t boundary) const {
    return write_readable_key(m_reply.columns, m_reply.boundaries[boundary]);
  }

  Field *field(Column column) { return m_table->field[column]; }

  void store(Column column, const std::optional<std::string> &text) {
    if (!text) return;
    field(column)->set_notnull();
    field(column)->store(text->data(), text->size(), &my_charset_utf8mb4_bin);
  }

  void store(Column column, std::uint64_t number) {
    field(column)->set_notnull();
    field(column)->store(static_cast<longlong>(number), true);
  }

  THD *m_thd;
  TABLE *m_table;
  const Range_reply &m_reply;
};

Result<void> write_ranges(THD *thd, TABLE *table, Range_request request,
                          const Fixed_columns &fixed) {
  const auto partitions = read_partitions(thd, request.target);
  if (!partitions) return std::unexpected(partitions.error());
  for (const auto &partition : *partitions) {
    const auto &wanted = fixed.value(partition_name);
    if (wanted && partition != wanted) continue;
    request.target.partition = partition;
    const auto plan = plan_ranges(thd, request);
    if (!plan) return std::unexpected(plan.error());
    if (auto written = Row_writer(thd, table, *plan).write_all(); !written) return written;
  }
  return {};
}

Result<void> fill(THD *thd, TABLE *table, Item *condition) {
  const Call_guard call;
  if (!call.entered()) return fail(Code::disabled, "plugin mysql_pq is not installed");
  const Fixed_columns fixed(table, condition);
  // A value could not be evaluated.
  if (thd->is_error()) return fail(Code::reported, "condition not evaluated");
  if (!fixed.value(table_schema) || !fixed.value(table_name)) {
    // An error would break tools that read all of INFORMATION_SCHEMA.
    push_warning(thd, Sql_condition::SL_WARNING, ER_UDF_ERROR,
                 "mysql_pq: to see ranges, filter by TABLE_SCHEMA = '...' AND TABLE_NAME = '...'");
    return {};
  }
  auto request = read_request(fixed);
  if (!request) return std::unexpected(request.error());
  return write_ranges(thd, table, std::move(*request), fixed);
}

int fill_table(THD *thd, Table_ref *tables, Item *condition) noexcept {
  return fill_safely([&] { return fill(thd, tables->table, condition); });
}

}  // namespace

int ranges_table_init(void *schema_table) noexcept {
  if (!is_for_this_server()) return 1;
  auto *table = static_cast<ST_SCHEMA_TABLE *>(schema_table);
  table->fields_info = columns;
  table->fill_table = fill_table;
  return 0;
}

int ranges_table_deinit(void *) noexcept { return 0; }

}  // namespace pq
