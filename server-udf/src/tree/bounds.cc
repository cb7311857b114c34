#include "tree/bounds.h"

#include "pure/utf8.h"

namespace pq {

namespace {

bool is_well_formed(const CHARSET_INFO *charset, const std::string &text) {
  int error = 0;
  const char *end = text.data() + text.size();
  const std::size_t good =
      charset->cset->well_formed_len(charset, text.data(), end, text.size(), &error);
  return error == 0 && good == text.size();
}

Result<std::optional<std::string>> encode_value(const Key_part &part,
                                                const Written_value &written) {
  const std::string name = "key value for column '" + printable(part.column.name) + "'";
  if (!written) {
    if (!part.column.nullable) return fail(Code::bad_argument, name + " must not be null");
    return std::nullopt;
  }
  auto encoded = encode_key(part.column, *written);
  if (!encoded) return std::unexpected(encoded.error());
  if (part.column.charset && !is_well_formed(part.field->charset(), *encoded)) {
    return fail(Code::bad_argument, name + " must be valid " + *part.column.charset);
  }
  return std::move(*encoded);
}

}  // namespace

Result<std::unique_ptr<Saved_key>> make_bound(const Tree &tree, const std::vector<Key_part> &parts,
                                              const std::vector<Written_value> &written) {
  if (written.empty()) return nullptr;
  const std::size_t own_columns = is_by_row_id(tree) ? 1 : tree.index->n_user_defined_cols;
  if (written.size() > own_columns) {
    return fail(Code::bad_argument, "a bound must hold at most the index's own " +
                                        std::to_string(own_columns) + " columns");
  }
  std::vector<std::optional<std::string>> encoded;
  for (std::size_t i = 0; i < written.size(); ++i) {
    auto value = encode_value(parts[i], written[i]);
    if (!value) return std::unexpected(value.error());
    encoded.push_back(std::move(*value));
  }
  auto key = std::make_unique<Saved_key>(tree.index, encoded.size());
  key->save(std::vector<Field_value>(encoded.begin(), encoded.end()));
  return key;
}

Result<std::unique_ptr<Saved_key>> make_key_of_row(const Tree &tree,
                                                   const std::vector<Key_part> &parts,
                                                   const std::vector<Written_value> &written,
                                                   std::string_view name) {
  auto key = make_bound(tree, parts, written);
  if (!key || !*key || (*key)->fields() == dict_index_get_n_unique_in_tree(tree.index)) return key;
  return fail(Code::bad_argument, std::string(name) + " must hold all columns of the key");
}

}  // namespace pq
