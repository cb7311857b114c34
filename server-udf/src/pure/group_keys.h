// Tells which rows are of one group, and numbers the groups.

#ifndef MYSQL_PQ_PURE_GROUP_KEYS_H
#define MYSQL_PQ_PURE_GROUP_KEYS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pure/column_batch.h"

namespace pq {

// Rows are of one group if the bytes of their values are the same in a batch: texts if their code
// points are. NULL is a value here. Without columns all rows are of group 0, which is there from
// the beginning.
class Group_keys final {
 public:
  // The places are those of columns in each batch that is given.
  Group_keys(const std::vector<Layout> &layouts, std::vector<std::uint32_t> places);

  // Memory for so many groups, whose texts have so many bytes in all, at most.
  [[nodiscard]] static std::size_t memory(std::size_t columns, std::size_t groups,
                                          std::size_t bytes);

  [[nodiscard]] bool empty() const { return m_places.empty(); }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(m_ends.size()); }
  // Counts the bytes of the values of all groups.
  [[nodiscard]] std::size_t bytes() const { return m_keys.size(); }

  // The group of each row, good until the next call. New groups get the next numbers.
  [[nodiscard]] const std::vector<std::uint32_t> &number(const Column_batch &rows);

  // Writes the values of all groups to the first columns, a row for each.
  void put(Column_batch &result) const;

  // Forgets all groups.
  void clear();

 private:
  // Groups that were met lately, by the words of their values. Most rows are found here.
  struct Known {
    std::vector<std::uint64_t> words;   // as many as a row has, for each place
    std::vector<std::uint32_t> groups;  // each with 1 added; 0 if the place is free
  };

  [[nodiscard]] bool make_words(const Column_batch &rows);
  [[nodiscard]] std::uint64_t *add_words(const Column_buffer &column, std::uint32_t rows,
                                         std::uint64_t *words);
  void mark_nulls(const Column_batch &rows);
  template <std::size_t count>
  void number_by_words(const Column_batch &rows);
  [[nodiscard]] std::uint32_t number_one(const Column_batch &rows, std::uint32_t row);
  void write_key(const Column_batch &rows, std::uint32_t row);
  [[nodiscard]] std::string_view key_of(std::size_t group) const;
  void put_key(Column_batch &result, std::uint32_t group) const;
  std::uint32_t add_group(std::uint64_t hash);
  void grow();

  std::vector<std::uint32_t> m_places;
  std::size_t m_words_of_row = 1;  // the last one tells which values are NULL
  std::uint64_t m_seed;
  std::vector<std::uint32_t> m_of_row;
  std::vector<std::uint64_t> m_words;  // those of all rows one behind the other, for each place
  std::vector<std::uint64_t> m_row_hashes;
  Known m_known;
  std::string m_key;  // of one row
  // The values of groups, one behind the other, and where they end.
  std::string m_keys;
  std::vector<std::size_t> m_ends;
  std::vector<std::uint64_t> m_hashes;
  std::vector<std::uint32_t> m_slots;  // groups, each with 1 added; a power of two of them
};

}  // namespace pq

#endif
