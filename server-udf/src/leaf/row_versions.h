// Follows a row back through its versions, as far as a limit allows
// (docs/decisions/native-scan.md).

#ifndef MYSQL_PQ_LEAF_ROW_VERSIONS_H
#define MYSQL_PQ_LEAF_ROW_VERSIONS_H

#include <array>
#include <cstdint>

#include "server/innodb_guards.h"

class THD;

namespace pq {

class Row_versions final {
 public:
  enum class End : std::uint8_t {
    found,        // the newest version that is seen; it may be marked as deleted
    none,         // the row was inserted later
    no_history,   // MySQL no longer has the versions
    too_long,     // the limit of steps was reached
    interrupted,  // the statement was killed or the extension switched off
  };

  struct Version {
    End end;
    const rec_t *rec;  // null unless found
    std::uint64_t steps;
  };

  // Allocates all but what long versions need.
  Row_versions(THD *thd, const dict_index_t *clustered);

  // Finds the newest older version of a row whose writer passes `sees`, and copies it into the
  // heap. The record on the page must be one that is not seen; `sees` is not asked about it.
  //
  // Latches: the S-latch on the record's page is held in the mini-transaction on entry and exit.
  // Each step briefly takes purge's latch and that of one undo page, as SQL does. Nothing is
  // allocated through C++, and nothing thrown.
  // Cost: a step is one undo record, 0.2 to 2 us, and one page read if it is not resident. Each
  // step polls kill and switch-off.
  template <class Sees>
  [[nodiscard]] Version find(const rec_t *latched, Read_mtr &mtr, std::uint64_t most_steps,
                             Heap &into, const Sees &sees) noexcept;

 private:
  [[nodiscard]] bool is_interrupted() const noexcept;
  [[nodiscard]] ulint *offsets_of(const rec_t *rec, ulint *offsets) noexcept;

  THD *m_thd;
  const dict_index_t *m_index;
  Heap m_offsets;
  std::array<Heap, 2> m_versions;  // one is read while the next is built
};

template <class Sees>
Row_versions::Version Row_versions::find(const rec_t *latched, Read_mtr &mtr,
                                         std::uint64_t most_steps, Heap &into,
                                         const Sees &sees) noexcept {
  mem_heap_empty(m_offsets.get());
  ulint *offsets = offsets_of(latched, nullptr);
  const rec_t *version = latched;
  for (std::uint64_t step = 0; step < most_steps; ++step) {
    if (is_interrupted()) return {End::interrupted, nullptr, step};
    mem_heap_t *heap = m_versions[step % 2].get();
    mem_heap_empty(heap);
    rec_t *older = nullptr;
    if (!trx_undo_prev_version_build(latched, mtr.get(), version, m_index, offsets, heap, &older,
                                     nullptr, nullptr, 0, nullptr)) {
      return {End::no_history, nullptr, step};
    }
    if (older == nullptr) return {End::none, nullptr, step + 1};
    offsets = offsets_of(older, offsets);
    version = older;
    if (!sees(row_get_rec_trx_id(version, m_index, offsets))) continue;
    auto *copy = static_cast<byte *>(mem_heap_alloc(into.get(), rec_offs_size(offsets)));
    return {End::found, rec_copy(copy, version, offsets), step + 1};
  }
  return {End::too_long, nullptr, most_steps};
}

}  // namespace pq

#endif
