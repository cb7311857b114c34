// Finds the rows that can be among the first ones in an order, while rows are read.

#ifndef MYSQL_PQ_PURE_FIRST_ROWS_H
#define MYSQL_PQ_PURE_FIRST_ROWS_H

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pure/program.h"
#include "pure/scan_request.h"

namespace pq {

// What rows are ordered by, as bytes: they compare as the rows do. A text may be cut.
struct Order_key {
  static constexpr std::size_t size = 56;

  std::array<unsigned char, size> bytes{};
  bool whole = true;

  [[nodiscard]] std::strong_ordering operator<=>(const Order_key &other) const noexcept;
  [[nodiscard]] bool operator==(const Order_key &other) const noexcept = default;
};

// Keeps the keys of the first rows of all that it has seen. Of rows that are equal in the order it
// takes any.
class First_rows final {
 public:
  // The program outlives it, and has an expression for each column of the order.
  First_rows(const Wanted_first &wanted, const Program &program, std::uint32_t most_rows,
             std::uint32_t most_rows_of_batch);

  // Memory that it takes at most.
  [[nodiscard]] static std::size_t memory(const Wanted_first &wanted, std::uint32_t most_rows,
                                          std::uint32_t most_rows_of_batch);

  // Keeps those of the rows that can be among the first ones of all rows seen so far: with these,
  // those kept before hold the first ones. Values are of the rows, in their order. Returns how
  // many.
  [[nodiscard]] std::uint32_t keep(const Program::Values &values, std::span<std::uint32_t> rows);

  // Whether so many rows were kept that further ones may come too late.
  [[nodiscard]] bool is_full() const { return m_first.size() == m_wanted; }

  // Keeps those of the rows that keep() may keep. Returns how many.
  [[nodiscard]] std::uint32_t keep_possible(const Program::Values &values,
                                            std::span<std::uint32_t> rows) const;

  // Says that so many of the rows that were kept last were added to a batch.
  void add_to_batch(std::uint32_t rows);

  // The rows of the batch that can still be among the first ones, ascending, until the next call.
  // Whoever calls it keeps only these.
  [[nodiscard]] std::span<const std::uint32_t> keep_of_batch();

  void begin_batch() { m_batch.clear(); }

  // Forgets all rows. Those that follow are kept as if they were the first ones seen.
  void begin_piece() {
    m_first.clear();
    m_candidates.clear();
  }

  [[nodiscard]] std::size_t wanted() const { return m_wanted; }

 private:
  // A row of the block that was among the first ones when it was seen.
  struct Candidate {
    std::uint32_t row;
    Order_key key;
  };

  class Key_writer;

  [[nodiscard]] bool comes_too_late(const Order_key &key) const;
  // Whether no row that comes before it in the order makes it one too many.
  [[nodiscard]] bool can_be_first(const Order_key &key) const {
    return !is_full() || key <= m_first.front();
  }
  void consider(std::uint32_t row, const Order_key &key);
  template <class Consider>
  void each_candidate(const Program::Values &values, std::size_t rows, Consider consider) const;

  std::size_t m_wanted;
  std::vector<Wanted_order> m_order;
  const Program &m_program;
  std::vector<Order_key> m_first;       // a heap, the last one in the order at its front
  std::vector<Candidate> m_candidates;  // of those, the ones kept last
  std::vector<Order_key> m_batch;       // of each row of a batch
  std::vector<std::uint32_t> m_kept_of_batch;
};

}  // namespace pq

#endif
