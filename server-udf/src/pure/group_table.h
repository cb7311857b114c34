// Groups rows by the values of some columns, and computes functions of each group.

#ifndef MYSQL_PQ_PURE_GROUP_TABLE_H
#define MYSQL_PQ_PURE_GROUP_TABLE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pure/column_batch.h"
#include "pure/group_keys.h"
#include "pure/scan_request.h"

namespace pq {

// Which rows are one group: see Group_keys.
class Group_table final {
 public:
  // A group keeps no longer text for a function.
  static constexpr std::size_t most_text_bytes = 4096;

  // The aggregation's places are among the layouts; sums are of numbers. `floating` says which
  // columns hold the bits of floating numbers: none if it is empty. Sums of these are of 64 bits.
  Group_table(const std::vector<Layout> &layouts, const Wanted_aggregation &aggregation,
              const std::vector<bool> &floating = {});

  // Memory that it and its result take at most if it has so many groups, and the result so many
  // bytes.
  [[nodiscard]] static std::size_t memory(const Wanted_aggregation &aggregation, std::size_t groups,
                                          std::size_t bytes);

  // Bytes that one group has in the result at most, but for texts.
  [[nodiscard]] static std::size_t most_row_bytes(const Wanted_aggregation &aggregation);

  // How many texts functions keep for each group.
  [[nodiscard]] static std::size_t texts(const std::vector<Layout> &layouts,
                                         const Wanted_aggregation &aggregation);

  // Whether there are no columns to group by.
  [[nodiscard]] bool has_one_group() const { return m_keys.empty(); }
  [[nodiscard]] std::uint32_t groups() const { return m_keys.count(); }
  // Bytes that the result has, or more: texts that were kept before may have been longer.
  [[nodiscard]] std::size_t size() const {
    return m_keys.bytes() + groups() * m_row_bytes + m_text_bytes;
  }

  // Whether no text of the rows is too long for a function.
  [[nodiscard]] bool takes(const Column_batch &rows) const;

  // Adds the rows of a batch of those layouts. The table takes them. Throws bad_alloc.
  void add(const Column_batch &rows);

  // The layouts of result(): those of the columns that are grouped by, and for each function
  //   count: int64,
  //   sum: int64 of floating numbers, the bits of one; int128 of values of up to 64 bits; of int128
  //     two, what is above the sum's lower 64 bits, and these, from 0 on: the sum is 2^64 times the
  //     first, plus the second,
  //   min, max: that of the column, and that of the column beside it, if there is one.
  // All but count are NULL for a group that has no value.
  [[nodiscard]] std::vector<Layout> result_layouts() const;

  // A row for each group, in the order in which they came.
  [[nodiscard]] Column_batch result() const;

  // Forgets all groups.
  void clear();

 private:
  using Text = std::optional<std::string>;

  // The values of one function, by group.
  struct Computed {
    Wanted_function function;
    Layout layout{};  // of the column
    bool is_floating = false;
    bool is_beside = false;              // it holds what is given beside the function before it
    std::vector<std::int64_t> counts{};  // of values
    std::vector<__int128> values{};      // sums, or the least or greatest number
    std::vector<__int128> lower{};       // of sums of int128: those of the lower halves
    std::vector<double> floating_sums{};
    std::vector<Text> texts{};  // the least or greatest

    [[nodiscard]] bool is_wide_sum() const {
      return function.function == Aggregate::sum && layout == Layout::int128;
    }
    [[nodiscard]] bool is_floating_sum() const {
      return function.function == Aggregate::sum && is_floating;
    }
    [[nodiscard]] bool keeps_texts() const {
      return layout == Layout::bytes && function.function != Aggregate::count;
    }
  };

  [[nodiscard]] bool groups_are_few() const;
  void make_room();
  void compute(Computed &computed, const Column_batch &rows,
               const std::vector<std::uint32_t> &groups);
  void count_rows(std::vector<std::int64_t> &counts,
                  const std::vector<std::uint32_t> &groups) const;
  void choose_rows(Computed &extreme, const Column_buffer &column,
                   const std::vector<std::uint32_t> &groups);
  void keep_chosen_rows(Computed &beside, const Column_buffer &column,
                        const std::vector<std::uint32_t> &groups);
  void keep_texts(Computed &computed, const Column_buffer &column,
                  const std::vector<std::uint32_t> &groups);
  void keep_text(Text &kept, std::string_view text);
  template <class T>
  static void keep_numbers(Computed &computed, const Column_buffer &column,
                           const std::vector<std::uint32_t> &groups);
  template <class T>
  void add_values(Computed &computed, const Column_buffer &column,
                  const std::vector<std::uint32_t> &groups);
  static void put(const Computed &computed, std::uint32_t group, std::vector<Column_buffer> &to,
                  std::size_t column);

  std::vector<Layout> m_layouts;
  std::vector<std::uint32_t> m_places;
  Group_keys m_keys;
  std::vector<Computed> m_computed;
  std::size_t m_row_bytes;
  std::size_t m_text_bytes = 0;               // memory of the functions' texts
  std::vector<std::int64_t> m_rows_of_group;  // in the last batch, if there are few groups
  // The row of a batch, with 1 added, from which a group's value beside an extreme is to be taken.
  // All are 0 but while one function is computed.
  std::vector<std::uint32_t> m_chosen_rows;
};

}  // namespace pq

#endif
