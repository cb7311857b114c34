#include "snapshot/snapshot_coverage.h"

#include <optional>
#include <string>
#include <vector>

#include "server/mysql_compat.h"
#include "server/statement_context.h"
#include "snapshot/dictionary_row.h"
#include "snapshot/read_view.h"
#include "table/table_lease.h"

namespace pq {

namespace {

struct Row {
  const char *dictionary_table;
  std::uint64_t id;
};

bool is_wanted(const dd::Partition &partition, const std::optional<std::string> &name) {
  return !name || my_strcasecmp(system_charset_info, partition.name().c_str(), name->c_str()) == 0;
}

// The dictionary's rows that say where the rows of the table, or of its partition, are. All DDL
// that creates, renames, rebuilds or truncates a table or swaps a partition writes one of them.
Result<std::vector<Row>> find_rows(THD *thd, const TABLE_SHARE *share,
                                   const std::optional<std::string> &partition) {
  const dd::cache::Dictionary_client::Auto_releaser releaser(thd->dd_client());
  const dd::Table *table = nullptr;
  if (thd->dd_client()->acquire(dd::String_type(share->db.str, share->db.length),
                                dd::String_type(share->table_name.str, share->table_name.length),
                                &table)) {
    return fail(Code::reported, "dictionary not read");
  }
  if (table == nullptr) return fail(Code::unusable_table, "the dictionary has no such table");
  std::vector<Row> rows{{"mysql/tables", table->id()}};
  for (const dd::Partition *leaf : table->leaf_partitions()) {
    if (is_wanted(*leaf, partition)) rows.push_back({"mysql/table_partitions", leaf->id()});
  }
  if (partition && rows.size() == 1) {
    return fail(Code::unusable_table, "the dictionary has no such partition");
  }
  return rows;
}

}  // namespace

Result<bool> covers(THD *thd, const Target &target) {
  const auto content = own_content(thd);
  if (!content) return std::unexpected(content.error());
  return covers(thd, target, *content);
}

Result<bool> covers(THD *thd, const Target &target, const View_content &content) {
  // The session itself must have the table locked, or the answer may be wrong by the time that it
  // reads. This is asked before the lease, which takes a lock of its own.
  const auto locked = check_locked(thd, target);
  const auto lease = Table_lease::take_table(thd, target);
  if (!lease) return std::unexpected(lease.error());
  if (!locked) return std::unexpected(locked.error());
  const auto rows = find_rows(thd, (*lease)->table()->s, target.partition);
  if (!rows) return std::unexpected(rows.error());
  for (const Row &row : *rows) {
    if (auto running = check_interrupted(thd); !running) return std::unexpected(running.error());
    const auto writer = read_last_writer(thd, row.dictionary_table, row.id);
    if (!writer) return std::unexpected(writer.error());
    if (!sees(content, *writer)) return false;
  }
  return true;
}

}  // namespace pq
