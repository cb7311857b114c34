// The table INFORMATION_SCHEMA.MYSQL_PQ_SNAPSHOTS: who shares a snapshot and what it costs, for
// people. It shows no token.

#include "edge/gate.h"
#include "edge/plugin_lifecycle.h"
#include "edge/table_edge.h"
#include "server/mysql_compat.h"
#include "server/settings.h"
#include "snapshot/snapshot_registry.h"

namespace pq {

namespace {

namespace snapshot_column {
enum Index : unsigned { user, host, connection_id, state, age, readers, adoptions, history_pinned };
}  // namespace snapshot_column

constexpr unsigned digits = MY_INT64_NUM_DECIMAL_DIGITS;

ST_FIELD_INFO snapshot_columns[] = {
    {"USER", USERNAME_CHAR_LENGTH, MYSQL_TYPE_STRING, 0, 0, "", 0},
    {"HOST", HOSTNAME_LENGTH, MYSQL_TYPE_STRING, 0, 0, "", 0},
    {"CONNECTION_ID", digits, MYSQL_TYPE_LONGLONG, 0, MY_I_S_MAYBE_NULL | MY_I_S_UNSIGNED, "", 0},
    {"STATE", 10, MYSQL_TYPE_STRING, 0, 0, "", 0},
    {"AGE", digits, MYSQL_TYPE_LONGLONG, 0, MY_I_S_UNSIGNED, "", 0},
    {"READERS", digits, MYSQL_TYPE_LONGLONG, 0, MY_I_S_UNSIGNED, "", 0},
    {"ADOPTIONS", digits, MYSQL_TYPE_LONGLONG, 0, MY_I_S_UNSIGNED, "", 0},
    {"HISTORY_PINNED", digits, MYSQL_TYPE_LONGLONG, 0, MY_I_S_UNSIGNED, "", 0},
    {nullptr, 0, MYSQL_TYPE_NULL, 0, 0, nullptr, 0}};

std::string_view state_of(const Snapshot_summary &snapshot) {
  if (snapshot.expired) return "EXPIRED";
  return snapshot.donor_id ? "OPEN" : "ENDED";
}

void store(TABLE *table, snapshot_column::Index column, std::string_view text) {
  table->field[column]->store(text.data(), text.size(), &my_charset_utf8mb4_bin);
}

void store(TABLE *table, snapshot_column::Index column, std::uint64_t value) {
  table->field[column]->set_notnull();
  table->field[column]->store(static_cast<longlong>(value), true);
}

void store(TABLE *table, const Snapshot_summary &snapshot) {
  restore_record(table, s->default_values);
  store(table, snapshot_column::user, snapshot.owner.user);
  store(table, snapshot_column::host, snapshot.owner.host);
  if (snapshot.donor_id) store(table, snapshot_column::connection_id, *snapshot.donor_id);
  store(table, snapshot_column::state, state_of(snapshot));
  store(table, snapshot_column::age, static_cast<std::uint64_t>(snapshot.age.count() / 1000));
  store(table, snapshot_column::readers, snapshot.readers);
  store(table, snapshot_column::adoptions, snapshot.adoptions);
  store(table, snapshot_column::history_pinned, snapshot.history);
}

// The rule is that of SHOW PROCESSLIST.
snapshots::Whose visible_to(THD *thd) {
  return thd->security_context()->check_access(PROCESS_ACL) ? snapshots::Whose::all
                                                            : snapshots::Whose::own;
}

Result<void> fill_snapshots(THD *thd, TABLE *table) {
  const Call_guard call;
  if (!call.entered()) return fail(Code::disabled, "plugin mysql_pq is not installed");
  for (const Snapshot_summary &snapshot : snapshots::list(thd, visible_to(thd))) {
    store(table, snapshot);
    if (schema_table_store_record(thd, table)) return fail(Code::reported, "row not stored");
  }
  return {};
}

int fill_snapshots_table(THD *thd, Table_ref *tables, Item *) noexcept {
  return fill_safely([&] { return fill_snapshots(thd, tables->table); });
}

}  // namespace

int snapshots_table_init(void *schema_table) noexcept {
  if (!is_for_this_server()) return 1;
  auto *table = static_cast<ST_SCHEMA_TABLE *>(schema_table);
  table->fields_info = snapshot_columns;
  table->fill_table = fill_snapshots_table;
  return 0;
}

int snapshots_table_deinit(void *) noexcept { return 0; }

}  // namespace pq
