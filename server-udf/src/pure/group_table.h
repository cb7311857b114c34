// Groups rows by the values of some columns, and computes functions of each group.

#ifndef MYSQL_PQ_PURE_GROUP_TABLE_H
#define MYSQL_PQ_PURE_GROUP_TABLE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pure/column_batch.h"
#include "pure/scan_request.h"

namespace pq {

// Values are one group if their bytes in the batch are: text by its code points. NULL is a group.
// Without columns to group by there is one group, also of no rows.
class Group_table final {
 public:
  // The aggregation's places are among the layouts; functions but count are of numbers.
  Group_table(const std::vector<Layout> &layouts, Wanted_aggregation aggregation);

  // Memory that it takes at most.
  [[nodiscard]] static std::size_t memory(const Wanted_aggregation &aggregation);

  // Adds the rows of a batch of those layouts. False if there are more groups than are wanted, or
  // their values take more than most_key_bytes; the table is then of no further use. Throws
  // bad_alloc.
  [[nodiscard]] bool add(const Column_batch &rows);

  // The layouts of result(): those of the columns that are grouped by, and for each function
  //   count: int64,
  //   sum: int128 of values of up to 64 bits; of int128 two, the sums of their upper 64 bits with
  //     the sign and of their lower 64 bits without it: the sum is 2^64 times the first, plus the
  //     second,
  //   min, max: that of the column.
  // All but count are NULL for a group that has no value.
  [[nodiscard]] std::vector<Layout> result_layouts() const;

  // A row for each group, in the order in which they came.
  [[nodiscard]] Column_batch result() const;

 private:
  // The values of one function, by group.
  struct Computed {
    Wanted_function function;
    Layout layout{};                     // of the column
    std::vector<std::int64_t> counts{};  // of values
    std::vector<__int128> values{};      // sums, or the least or greatest; empty for count
    std::vector<__int128> lower{};       // of sums of int128: those of the lower halves
  };

  [[nodiscard]] std::size_t groups() const { return m_ends.size(); }
  [[nodiscard]] bool find_groups(const Column_batch &rows);
  void write_key(const Column_batch &rows, std::uint32_t row);
  [[nodiscard]] bool find_group(std::uint32_t row);
  [[nodiscard]] std::string_view key_of(std::size_t group) const;
  [[nodiscard]] bool add_group(std::uint64_t hash);
  void grow();
  static void compute(Computed &computed, const Column_batch &rows,
                      const std::vector<std::uint32_t> &groups);
  void put_keys(Column_batch &result, std::uint32_t group) const;
  static void put(const Computed &computed, std::uint32_t group, std::vector<Column_buffer> &to,
                  std::size_t column);

  std::vector<Layout> m_layouts;
  Wanted_aggregation m_aggregation;
  std::uint64_t m_seed;
  std::size_t m_most_key_bytes;
  std::vector<Computed> m_computed;
  std::string m_key;                    // of one row
  std::vector<std::uint32_t> m_of_row;  // the group of each row of a batch
  // The values that groups are of, one group behind the other, and where they end.
  std::string m_keys;
  std::vector<std::size_t> m_ends;
  std::vector<std::uint64_t> m_hashes;
  std::vector<std::uint32_t> m_slots;  // groups, each with 1 added; a power of two of them
};

}  // namespace pq

#endif
