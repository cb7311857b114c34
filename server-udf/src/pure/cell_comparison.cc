#include "pure/cell_comparison.h"

#include <string_view>

#include "pure/cell_order.h"

namespace pq {

namespace {

bool is_one_of(Comparison comparison, Comparison first, Comparison second, Comparison third) {
  return comparison == first || comparison == second || comparison == third;
}

std::string_view bytes_at(const unsigned char *cell, std::size_t size) {
  return {reinterpret_cast<const char *>(cell), size};
}

}  // namespace

Cell_comparison::Cell_comparison(const Cell_type &type, Comparison comparison)
    : m_type(type),
      m_size(stored_size(type)),
      m_less(is_one_of(comparison, Comparison::less, Comparison::less_or_equal,
                       Comparison::not_equal)),
      m_equal(is_one_of(comparison, Comparison::equal, Comparison::less_or_equal,
                        Comparison::greater_or_equal)),
      m_greater(is_one_of(comparison, Comparison::greater, Comparison::greater_or_equal,
                          Comparison::not_equal)) {}

std::uint32_t Cell_comparison::apply(const Cells &left, const Cells &right, std::uint32_t *rows,
                                     std::uint32_t count) const noexcept {
  const bool by_number = m_size > 0 && m_size <= most_number_bytes;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t row = rows[i];
    const unsigned char *first = left.at(row);
    const unsigned char *second = right.at(row);
    if (first == nullptr || second == nullptr) continue;
    const std::strong_ordering order =
        by_number ? number_of(m_type, m_size, first) <=> number_of(m_type, m_size, second)
                  : compare_bytes(bytes_at(first, m_size > 0 ? m_size : left.sizes[row]),
                                  bytes_at(second, m_size > 0 ? m_size : right.sizes[row]),
                                  m_type.is_padded);
    rows[kept] = row;
    kept += (order < 0 ? m_less : order == 0 ? m_equal : m_greater) ? 1 : 0;
  }
  return kept;
}

}  // namespace pq
