// Rows as columns, in buffers as Apache Arrow lays them out, little-endian. A batch of C columns is
//
//   0   "MPQB"
//   4   2 bytes: version of the format, 1
//   6   2 bytes: C
//   8   4 bytes: rows
//   12  4 bytes: what follows, see Batch_end
//   16  8 bytes: size of the batch
//   24  4 bytes: number of the batch, from 0 on
//   28  4 bytes: where the text begins, 0 if there is none
//   32  8 bytes: rows of the batches before
//   40  4 bytes: size of the text
//   44  4 bytes: how many known pieces before its rows have not changed
//   48  for each column 24 bytes, of which each 4 are: layout, the one asked for or a narrower
//       one; NULLs; where its validity begins, 0
//       if it has no NULLs; where its values begin; where its data begin; the data's size, both 0
//       unless its layout is `bytes`
//
// and the buffers, at multiples of 8 from the beginning: validity, a bit for each row, the lowest
// first, 1 unless NULL; values, of a NULL 0; of `bytes` the places where values end in the data, 4
// bytes each, after a 0; and the text. That is the cursor, which says where a scan goes on after
// the batch, unless the range has ended; and behind it the validator, if there is one.

#ifndef MYSQL_PQ_PURE_COLUMN_BATCH_H
#define MYSQL_PQ_PURE_COLUMN_BATCH_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pq {

// The type of a column's values. The numbers are part of the format.
enum class Layout : std::uint8_t {
  int8 = 1,
  int16 = 2,
  int32 = 3,
  int64 = 4,
  int128 = 5,
  bytes = 6  // of any length
};

// Bytes of one value; of `bytes`, of the offset of its end.
[[nodiscard]] constexpr std::size_t width_of(Layout layout) {
  switch (layout) {
    case Layout::int8:
      return 1;
    case Layout::int16:
      return 2;
    case Layout::int32:
    case Layout::bytes:
      return 4;
    case Layout::int64:
      return 8;
    case Layout::int128:
      return 16;
  }
  return 0;
}

// Whether rows follow those of a batch.
enum class Batch_end : std::uint32_t {
  more = 0,
  range_ended = 1,
  stopped = 2,     // the next row is one that cannot be read in this way
  unchanged = 3,   // what is left has what it had when scans gave the validators; no rows come
  piece_ended = 4  // more rows follow, which are not of the known piece that these are of
};

// How batches come. In all but `wide` the layout of numbers is the narrowest that holds those of
// the batch.
enum class Batch_form : std::uint8_t { wide, narrow, compressed };

// A batch's place among those of a scan.
struct Batch_place {
  Batch_end end = Batch_end::more;
  std::uint32_t number = 0;
  std::uint64_t rows_before = 0;
  std::string cursor;
  std::string validator{};
  std::uint32_t unchanged = 0;  // known pieces between the batch before and this one
};

// One column while it is filled: each row is set once, in order, and none beyond the most.
class Column_buffer final {
 public:
  Column_buffer(Layout layout, std::uint32_t max_rows);

  [[nodiscard]] Layout layout() const { return m_layout; }
  [[nodiscard]] std::uint32_t nulls() const { return m_nulls; }
  [[nodiscard]] std::size_t data_size() const { return m_data_size; }

  [[nodiscard]] bool is_null(std::uint32_t row) const noexcept {
    return m_nulls > 0 && (m_validity[row / 8] >> row % 8 & 1) == 0;
  }
  // One value behind the other, each as wide as the layout.
  [[nodiscard]] const char *values() const noexcept { return m_values.get(); }
  // The data of `bytes`.
  [[nodiscard]] const char *data() const noexcept { return m_data.get(); }
  // Returns the value of a row that is set. The layout is `bytes`.
  [[nodiscard]] std::string_view bytes(std::uint32_t row) const noexcept {
    std::array<std::uint32_t, 2> ends{};
    std::memcpy(ends.data(), m_values.get() + std::size_t{row} * sizeof(std::uint32_t),
                sizeof(ends));
    return {m_data.get() + ends[0], ends[1] - ends[0]};
  }

  // T is as wide as the layout, which is not `bytes`.
  template <class T>
  void set(std::uint32_t row, T value) noexcept {
    std::memcpy(m_values.get() + std::size_t{row} * sizeof(T), &value, sizeof(T));
  }

  // As set(), of the value's bytes in memory.
  void set_bytes(std::uint32_t row, const char *value) noexcept {
    const std::size_t width = width_of(m_layout);
    std::memcpy(m_values.get() + row * width, value, width);
  }

  // Where the row's value is, and the following rows' behind it. T is as wide as the layout.
  template <class T>
  [[nodiscard]] char *place(std::uint32_t row) noexcept {
    return m_values.get() + std::size_t{row} * sizeof(T);
  }

  void set_null(std::uint32_t row) noexcept;

  // Sets rows from `first_row` on. The layout is `bytes`. `cell(i)` is the i-th of them; one
  // without data is NULL. Throws bad_alloc where memory is short or the column's data would pass
  // 4 GB.
  template <class Cell>
  void append_bytes(std::uint32_t first_row, std::uint32_t count, Cell cell) {
    // What is written through a char pointer may change a member, for all that a compiler knows.
    char *data = m_data.get();
    std::size_t end = m_data_size;
    std::size_t capacity = m_data_capacity;
    char *ends = m_values.get() + std::size_t{first_row} * sizeof(std::uint32_t);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string_view bytes = cell(i);
      if (bytes.data() == nullptr) {
        mark_null(first_row + i);
      } else {
        if (capacity - end < bytes.size()) {
          m_data_size = end;
          reserve(end + bytes.size());
          data = m_data.get();
          capacity = m_data_capacity;
        }
        copy_bytes(data + end, bytes.data(), bytes.size());
        end += bytes.size();
      }
      ends += sizeof(std::uint32_t);
      const auto place = static_cast<std::uint32_t>(end);
      std::memcpy(ends, &place, sizeof(place));
    }
    m_data_size = end;
  }

  // Keeps only these rows, which ascend, of so many.
  void keep(std::span<const std::uint32_t> rows, std::uint32_t of) noexcept;

  // Keeps the memory.
  void clear() noexcept;

 private:
  friend class Column_batch;

  // The narrowest that holds the numbers of so many rows.
  [[nodiscard]] Layout narrowest(std::uint32_t rows) const noexcept;
  // Writes the values of so many rows. The layout is that of the column, or holds its numbers.
  void put_values(char *to, Layout layout, std::uint32_t rows) const noexcept;
  void keep_validity(std::span<const std::uint32_t> rows, std::uint32_t of) noexcept;
  void keep_data(std::span<const std::uint32_t> rows) noexcept;

  void mark_null(std::uint32_t row) noexcept {
    m_validity[row / 8] = static_cast<std::uint8_t>(m_validity[row / 8] & ~(1U << row % 8));
    ++m_nulls;
  }

  void reserve(std::size_t size);
  void release() noexcept;

  // A call costs more than a few bytes do.
  static void copy_bytes(char *to, const char *from, std::size_t size) noexcept {
    if (size > 16) {
      std::memcpy(to, from, size);
    } else if (size >= 8) {
      copy_ends<std::uint64_t>(to, from, size);
    } else if (size >= 4) {
      copy_ends<std::uint32_t>(to, from, size);
    } else if (size > 0) {
      to[0] = from[0];
      to[size / 2] = from[size / 2];
      to[size - 1] = from[size - 1];
    }
  }

  // As many bytes as one or two words have.
  template <class Word>
  static void copy_ends(char *to, const char *from, std::size_t size) noexcept {
    Word first = 0;
    Word last = 0;
    std::memcpy(&first, from, sizeof(Word));
    std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
    std::memcpy(to, &first, sizeof(Word));
    std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
  }

  Layout m_layout;
  std::uint32_t m_nulls = 0;
  std::vector<std::uint8_t> m_validity;  // all ones but for NULLs
  std::unique_ptr<char[]> m_values;      // of `bytes`, one more than rows
  std::unique_ptr<char[]> m_data;
  std::size_t m_data_size = 0;
  std::size_t m_data_capacity = 0;
};

// Columns of equally many rows.
class Column_batch final {
 public:
  // After a batch whose data took more memory than this the memory is given back.
  Column_batch(const std::vector<Layout> &layouts, std::uint32_t max_rows,
               std::size_t max_kept_bytes = SIZE_MAX);

  [[nodiscard]] std::vector<Column_buffer> &columns() { return m_columns; }
  [[nodiscard]] const std::vector<Column_buffer> &columns() const { return m_columns; }
  [[nodiscard]] std::uint32_t rows() const { return m_rows; }
  // Bytes that one row takes in the columns, but for data.
  [[nodiscard]] std::size_t row_bytes() const { return m_row_bytes; }
  // More rows that it has room for.
  [[nodiscard]] std::uint32_t room() const { return m_max_rows - m_rows; }

  // Bytes that write() would make of wide numbers, or a few more.
  [[nodiscard]] std::size_t size() const;

  // Completes `count` rows, in which each column has been set.
  void end_rows(std::uint32_t count) noexcept { m_rows += count; }

  // Keeps only these rows, which ascend.
  void keep(std::span<const std::uint32_t> rows) noexcept;

  // The batch as a client gets it. Throws bad_alloc.
  void write(const Batch_place &place, std::string &batch,
             Batch_form form = Batch_form::wide) const;

  void clear() noexcept;

 private:
  [[nodiscard]] std::vector<Layout> layouts(Batch_form form) const;
  [[nodiscard]] std::size_t written_size(const Batch_place &place,
                                         const std::vector<Layout> &layouts) const;
  std::size_t write_columns(std::string &batch, const std::vector<Layout> &layouts) const;
  std::size_t write_data(std::string &batch, std::size_t end) const;

  std::uint32_t m_max_rows;
  std::size_t m_max_kept_bytes;
  std::uint32_t m_rows = 0;
  std::size_t m_row_bytes = 0;
  std::vector<Column_buffer> m_columns;
};

}  // namespace pq

#endif
