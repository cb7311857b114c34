#include "tree/saved_key.h"

#include <algorithm>
#include <cstring>

namespace pq {

Saved_key::Saved_key(const dict_index_t *index, std::size_t fields)
    : m_fields(fields),
      m_heap(DTUPLE_EST_ALLOC(fields)),
      m_bytes(std::make_unique_for_overwrite<char[]>(srv_page_size)),
      m_tuple(dtuple_create(m_heap.get(), fields)) {
  dict_index_copy_types(m_tuple, index, fields);
}

void Saved_key::save(std::span<const Field_value> values) noexcept {
  char *end = m_bytes.get();
  for (std::size_t i = 0; i < m_fields; ++i) {
    dfield_t *field = dtuple_get_nth_field(m_tuple, i);
    if (!values[i]) {
      dfield_set_null(field);
      continue;
    }
    std::memcpy(end, values[i]->data(), values[i]->size());
    dfield_set_data(field, end, values[i]->size());
    end += values[i]->size();
  }
}

bool Saved_key::precedes(const Saved_key &other, const dict_index_t *index) const noexcept {
  const std::size_t fields = std::min(m_fields, other.m_fields);
  for (std::size_t i = 0; i < fields; ++i) {
    const int order =
        cmp_dfield_dfield(dtuple_get_nth_field(m_tuple, i), dtuple_get_nth_field(other.m_tuple, i),
                          index->get_field(i)->is_ascending);
    if (order != 0) return order < 0;
  }
  return false;
}

}  // namespace pq
