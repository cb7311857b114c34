#include "snapshot/dictionary_row.h"

#include <string>

#include "server/innodb_guards.h"
#include "tree/saved_key.h"

namespace pq {

namespace {

// A table of the dictionary, which InnoDB keeps open as long as it runs.
class Dictionary_table final {
 public:
  Dictionary_table(THD *thd, const char *name)
      : m_table(dd_table_open_on_name(thd, nullptr, name, false, DICT_ERR_IGNORE_NONE, nullptr)) {}
  ~Dictionary_table() {
    if (m_table != nullptr) dd_table_close(m_table, nullptr, nullptr, false);
  }
  Dictionary_table(const Dictionary_table &) = delete;
  Dictionary_table &operator=(const Dictionary_table &) = delete;

  // Null if the dictionary has no such table or its key is another than a number of eight bytes.
  [[nodiscard]] const dict_index_t *index() const {
    if (m_table == nullptr) return nullptr;
    const dict_index_t *index = m_table->first_index();
    const bool fits = dict_index_get_n_unique(index) == 1 && index->get_col(0)->len == 8 &&
                      index->get_col(0)->mtype == DATA_INT;
    return fits ? index : nullptr;
  }

 private:
  dict_table_t *m_table;
};

std::string big_endian(std::uint64_t id) {
  std::string bytes(8, '\0');
  for (auto it = bytes.rbegin(); it != bytes.rend(); ++it, id >>= 8) {
    *it = static_cast<char>(id & 0xFF);
  }
  return bytes;
}

// Zero, which is no transaction's, if the row is missing or deleted.
std::uint64_t find_last_writer(const dict_index_t *index, const Saved_key &key) noexcept {
  Read_mtr mtr;
  btr_pcur_t cursor;
  cursor.open(const_cast<dict_index_t *>(index), 0, key.tuple(), PAGE_CUR_LE, BTR_SEARCH_LEAF,
              mtr.get(), UT_LOCATION_HERE);
  const rec_t *rec = cursor.get_rec();
  if (!page_rec_is_user_rec(rec) || cursor.get_low_match() < key.fields()) return 0;
  if (rec_get_deleted_flag(rec, dict_table_is_comp(index->table))) return 0;
  ulint offsets[REC_OFFS_NORMAL_SIZE];
  rec_offs_init(offsets);
  mem_heap_t *heap = nullptr;
  // The key and the two system columns behind it.
  (void)rec_get_offsets(rec, index, offsets, key.fields() + 2, UT_LOCATION_HERE, &heap);
  return row_get_rec_trx_id(rec, index, offsets);
}

}  // namespace

Result<std::uint64_t> read_last_writer(THD *thd, const char *dictionary_table, std::uint64_t id) {
  const Dictionary_table table(thd, dictionary_table);
  if (table.index() == nullptr) {
    return fail(Code::unusable_table, std::string("no dictionary table ") + dictionary_table);
  }
  const std::string stored = big_endian(id);
  Saved_key key(table.index(), 1);
  const Field_value value = stored;
  key.save({&value, 1});
  const std::uint64_t writer = find_last_writer(table.index(), key);
  if (writer == 0) {
    return fail(Code::unusable_table, std::string("no such row in ") + dictionary_table);
  }
  return writer;
}

}  // namespace pq
