// A key as InnoDB compares it, in memory reserved beforehand.

#ifndef MYSQL_PQ_TREE_SAVED_KEY_H
#define MYSQL_PQ_TREE_SAVED_KEY_H

#include <memory>
#include <span>

#include "pure/key_sample.h"
#include "server/innodb_guards.h"

namespace pq {

class Saved_key final {
 public:
  // A key of the index's first `fields` parts. Allocates all it will ever use.
  Saved_key(const dict_index_t *index, std::size_t fields);

  // Copies the values, which may lie on a latched page. Neither allocates nor throws. Their bytes
  // must be at most a page together, which any key on a page is.
  void save(std::span<const Field_value> values) noexcept;

  // Whether it stands before the other in an index, which both are keys of. Keys with different
  // numbers of parts compare by those that both have.
  [[nodiscard]] bool precedes(const Saved_key &other, const dict_index_t *index) const noexcept;

  [[nodiscard]] const dtuple_t *tuple() const { return m_tuple; }
  [[nodiscard]] std::size_t fields() const { return m_fields; }

 private:
  std::size_t m_fields;
  Heap m_heap;
  std::unique_ptr<char[]> m_bytes;
  dtuple_t *m_tuple;
};

}  // namespace pq

#endif
