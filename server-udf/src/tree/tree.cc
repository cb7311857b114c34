#include "tree/tree.h"

#include "pure/utf8.h"

namespace pq {

namespace {

std::unexpected<Error> unusable(const dict_table_t *table, std::string_view why) {
  return fail(Code::unusable_table,
              "table '" + printable(table->name.m_name) + "' " + std::string(why));
}

// Reading any page of such a table would abort the server.
Result<void> check_tablespace(const dict_table_t *table) {
  if (dict_table_is_discarded(table)) return unusable(table, "has a discarded tablespace");
  if (table->ibd_file_missing) return unusable(table, "has no tablespace file");
  if (table->is_corrupted()) return unusable(table, "is corrupted");
  return {};
}

Result<void> check_index(THD *thd, const Tree &tree) {
  if (tree.index->is_corrupted()) return unusable(tree.table, "has a corrupted index");
  // The clustered index is also marked so while the table is rebuilt beside it, and is whole all
  // that time.
  const bool building = !tree.index->is_clustered() && dict_index_is_online_ddl(tree.index);
  if (!tree.index->is_committed() || building) {
    return unusable(tree.table, "has an index that is still being built");
  }
  if (tree.index->page == FIL_NULL) return unusable(tree.table, "has an index without a root page");
  if (!tree.index->is_usable(check_trx_exists(thd))) {
    // The session's snapshot is older than the index: what SQL says then.
    my_error(ER_TABLE_DEF_CHANGED, MYF(0));
    return fail(Code::reported, "index newer than the read view");
  }
  return {};
}

std::size_t count_trees(const TABLE *table) {
  if (table->part_info == nullptr) return 1;
  return static_cast<ha_innopart *>(table->file)->m_part_share->get_num_parts();
}

dict_table_t *partition_table(const TABLE *table, std::size_t position) {
  if (table->part_info == nullptr) {
    return static_cast<ha_innobase *>(table->file)->m_prebuilt->table;
  }
  return static_cast<ha_innopart *>(table->file)
      ->m_part_share->get_table_part(static_cast<uint>(position));
}

}  // namespace

bool is_by_row_id(const Tree &tree) {
  return tree.index->is_clustered() && tree.index->get_col(0)->mtype == DATA_SYS;
}

Result<Tree> find_tree(TABLE *table, const char *index, std::size_t position) {
  dict_table_t *part = partition_table(table, position);
  if (part == nullptr) return fail(Code::unusable_table, "a partition is not open");
  const Tree tree{part, dict_table_get_index_on_name(part, index)};
  if (tree.index == nullptr) return unusable(part, "lacks the index in InnoDB's dictionary");
  return tree;
}

Result<std::vector<Tree>> list_trees(TABLE *table, const char *index) {
  std::vector<Tree> trees;
  for (std::size_t i = 0; i < count_trees(table); ++i) {
    const auto tree = find_tree(table, index, i);
    if (!tree) return std::unexpected(tree.error());
    trees.push_back(*tree);
  }
  return trees;
}

Result<void> check_usable(THD *thd, const Tree &tree) {
  if (auto usable = check_tablespace(tree.table); !usable) return usable;
  return check_index(thd, tree);
}

Result<std::size_t> find_partition(TABLE *table, const std::string &name) {
  if (table->part_info == nullptr) {
    my_error(ER_PARTITION_CLAUSE_ON_NONPARTITIONED, MYF(0));
    return fail(Code::reported, "not partitioned");
  }
  uint part = NOT_A_PARTITION_ID;
  if (table->part_info->get_part_elem(name.c_str(), &part) == nullptr) {
    my_error(ER_UNKNOWN_PARTITION, MYF(0), name.c_str(), table->s->table_name.str);
    return fail(Code::reported, "no such partition");
  }
  if (part == NOT_A_PARTITION_ID) {
    return fail(Code::bad_argument,
                "partition '" + printable(name) + "' has subpartitions: name one of them");
  }
  return part;
}

std::vector<std::string> list_partitions(TABLE *table) {
  std::vector<std::string> names;
  if (table->part_info == nullptr) return names;
  for (partition_element &partition : table->part_info->partitions) {
    if (!table->part_info->is_sub_partitioned()) names.emplace_back(partition.partition_name);
    for (partition_element &part : partition.subpartitions) names.emplace_back(part.partition_name);
  }
  return names;
}

}  // namespace pq
