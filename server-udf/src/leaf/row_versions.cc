#include "leaf/row_versions.h"

#include "server/settings.h"

namespace pq {

namespace {

constexpr ulint version_heap_bytes = 1024;

}  // namespace

Row_versions::Row_versions(THD *thd, const dict_index_t *clustered)
    : m_thd(thd),
      m_index(clustered),
      m_offsets(version_heap_bytes),
      m_versions{Heap(version_heap_bytes), Heap(version_heap_bytes)} {}

bool Row_versions::is_interrupted() const noexcept {
  return m_thd->is_killed() || !settings::enabled();
}

ulint *Row_versions::offsets_of(const rec_t *rec, ulint *offsets) noexcept {
  mem_heap_t *heap = m_offsets.get();
  return rec_get_offsets(rec, m_index, offsets, ULINT_UNDEFINED, UT_LOCATION_HERE, &heap);
}

}  // namespace pq
