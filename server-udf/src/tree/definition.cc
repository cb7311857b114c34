#include "tree/definition.h"

#include "pure/fingerprint.h"

namespace pq {

namespace {

void add_interval(Fingerprint &fingerprint, const TYPELIB *values) {
  if (values == nullptr) return;
  for (std::size_t i = 0; i < values->count; ++i) {
    fingerprint.add(std::string_view(values->type_names[i], values->type_lengths[i]));
  }
}

// INSTANT DROP and ADD of a virtual column changes nothing else that InnoDB keeps.
void add_expression(Fingerprint &fingerprint, const Value_generator *generator) {
  fingerprint.add(generator != nullptr);
  if (generator == nullptr) return;
  fingerprint.add(generator->get_field_stored());
  fingerprint.add(std::string_view(generator->expr_str.str, generator->expr_str.length));
}

void add_column(Fingerprint &fingerprint, const Field *field) {
  fingerprint.add(std::string_view(field->field_name));
  fingerprint.add(static_cast<int>(field->real_type()));
  fingerprint.add(field->field_length);
  fingerprint.add(field->decimals());
  fingerprint.add(field->charset()->number);
  fingerprint.add(field->is_unsigned());
  fingerprint.add(field->is_nullable());
  if (field->real_type() == MYSQL_TYPE_ENUM || field->real_type() == MYSQL_TYPE_SET) {
    add_interval(fingerprint, static_cast<const Field_enum *>(field)->typelib);
  }
}

// Ids are never reused: a rebuild, TRUNCATE or EXCHANGE PARTITION brings others. DISCARD TABLESPACE
// gives the table another one and leaves the indexes theirs, which IMPORT stamps with its
// transaction.
void add_tree(Fingerprint &fingerprint, const Tree &tree) {
  fingerprint.add(tree.table->id);
  fingerprint.add(tree.table->current_row_version);
  fingerprint.add(tree.table->first_index()->trx_id);
  fingerprint.add(tree.index->id);
  fingerprint.add(tree.index->trx_id);
}

}  // namespace

std::string describe_definition(TABLE *table, const std::vector<Tree> &trees) {
  Fingerprint fingerprint;
  fingerprint.add(table->s->fields);
  for (uint i = 0; i < table->s->fields; ++i) {
    add_column(fingerprint, table->field[i]);
    // Only the share keeps the text of the expression.
    add_expression(fingerprint, table->s->field[i]->gcol_info);
  }
  for (const std::string &partition : list_partitions(table)) {
    fingerprint.add(std::string_view(partition));
  }
  fingerprint.add(trees.size());
  for (const Tree &tree : trees) add_tree(fingerprint, tree);
  return fingerprint.text();
}

}  // namespace pq
