#include "pure/first_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string_view>

namespace pq {

namespace {

using Vector = Program::Values::Vector;

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// Unsigned numbers that compare as the integers do, or the other way round.
std::uint64_t ordered(std::int64_t value, bool descending) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) ^ sign_bit;
  return descending ? ~bits : bits;
}

unsigned char marker(bool null, bool nulls_first) { return null == nulls_first ? 0 : 1; }

bool is_null(const Vector &vector, std::size_t row) {
  return vector.has_nulls && vector.nulls[row] != 0;
}

std::uint64_t big_endian(std::uint64_t value) {
  return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

}  // namespace

std::strong_ordering Order_key::operator<=>(const Order_key &other) const noexcept {
  return std::memcmp(bytes.data(), other.bytes.data(), size) <=> 0;
}

// Writes the values of one row behind each other.
class First_rows::Key_writer final {
 public:
  explicit Key_writer(Order_key &key) : m_key(key) {}

  void add(std::uint64_t number) {
    number = big_endian(number);
    std::array<unsigned char, sizeof(number)> bytes{};
    std::memcpy(bytes.data(), &number, sizeof(number));
    for (const unsigned char byte : bytes) add(byte);
  }

  void add(unsigned char byte) {
    if (m_end == Order_key::size) {
      m_key.whole = false;
    } else {
      m_key.bytes[m_end++] = byte;
    }
  }

  // A shorter text comes before a longer one that begins with it: two zeros end a text, and a zero
  // within it is followed by a one.
  void add(std::string_view text, bool descending) {
    const unsigned char turned = descending ? 0xff : 0;
    const auto put = [&](unsigned char byte) { add(static_cast<unsigned char>(byte ^ turned)); };
    for (const char c : text) {
      if (!m_key.whole) return;
      put(static_cast<unsigned char>(c));
      if (c == 0) put(1);
    }
    put(0);
    put(0);
  }

 private:
  Order_key &m_key;
  std::size_t m_end = 0;
};

First_rows::First_rows(const Wanted_first &wanted, const Program &program, std::uint32_t most_rows,
                       std::uint32_t most_rows_of_batch)
    : m_wanted(wanted.rows), m_order(wanted.order), m_program(program) {
  m_first.reserve(m_wanted);
  m_candidates.reserve(most_rows);
  m_batch.reserve(most_rows_of_batch);
  m_kept_of_batch.reserve(most_rows_of_batch);
}

std::size_t First_rows::memory(const Wanted_first &wanted, std::uint32_t most_rows,
                               std::uint32_t most_rows_of_batch) {
  return std::size_t{wanted.rows} * sizeof(Order_key) + most_rows * sizeof(Candidate) +
         most_rows_of_batch * (sizeof(Order_key) + sizeof(std::uint32_t));
}

std::uint32_t First_rows::keep(const Program::Values &values, std::span<std::uint32_t> rows) {
  m_candidates.clear();
  each_candidate(values, rows.size(),
                 [this](std::uint32_t row, const Order_key &key) { consider(row, key); });
  // Others may have come before them since.
  std::erase_if(m_candidates, [this](const Candidate &one) { return !can_be_first(one.key); });
  std::uint32_t kept = 0;
  for (const Candidate &candidate : m_candidates) rows[kept++] = rows[candidate.row];
  return kept;
}

void First_rows::add_to_batch(std::uint32_t rows) {
  for (std::uint32_t i = 0; i < rows; ++i) m_batch.push_back(m_candidates[i].key);
}

std::span<const std::uint32_t> First_rows::keep_of_batch() {
  m_kept_of_batch.clear();
  // The batch may hold more rows equal to the last one than are wanted by now.
  auto equal = is_full() ? std::ranges::count(m_first, m_first.front()) : 0;
  for (std::uint32_t row = 0; row < m_batch.size(); ++row) {
    if (!can_be_first(m_batch[row])) continue;
    if (is_full() && m_batch[row].whole && m_batch[row] == m_first.front() && equal-- <= 0) {
      continue;
    }
    m_batch[m_kept_of_batch.size()] = m_batch[row];
    m_kept_of_batch.push_back(row);
  }
  m_batch.resize(m_kept_of_batch.size());
  return m_kept_of_batch;
}

bool First_rows::comes_too_late(const Order_key &key) const {
  const auto compared = key <=> m_first.front();
  return compared > 0 || (compared == 0 && key.whole);
}

std::uint32_t First_rows::keep_possible(const Program::Values &values,
                                        std::span<std::uint32_t> rows) const {
  std::uint32_t kept = 0;
  each_candidate(values, rows.size(), [&](std::uint32_t row, const Order_key &key) {
    if (!is_full() || !comes_too_late(key)) rows[kept++] = rows[row];
  });
  return kept;
}

void First_rows::consider(std::uint32_t row, const Order_key &key) {
  if (is_full()) {
    if (comes_too_late(key)) return;
    m_candidates.push_back({row, key});
    // What was cut off may make it one of the first, or not.
    if (key == m_first.front()) return;
    std::ranges::pop_heap(m_first);
    m_first.back() = key;
  } else {
    m_candidates.push_back({row, key});
    m_first.push_back(key);
  }
  std::ranges::push_heap(m_first);
}

// Leaves rows out whose first value tells already that they come too late.
template <class Consider>
void First_rows::each_candidate(const Program::Values &values, std::size_t rows,
                                Consider consider) const {
  const Wanted_order &first = m_order.front();
  const Vector &vector = values.of(0);
  const bool narrow = m_program.kind(0) != Program::Kind::text && m_program.is_narrow(0);
  const unsigned char of_value = marker(false, first.nulls_first);
  for (std::size_t row = 0; row < rows; ++row) {
    if (narrow && is_full() && !is_null(vector, row)) {
      const auto &last = m_first.front().bytes;
      std::uint64_t last_number = 0;
      std::memcpy(&last_number, last.data() + 1, sizeof(last_number));
      const std::uint64_t number = ordered(vector.narrow[row], first.descending);
      const std::uint64_t most = big_endian(last_number);
      if (of_value > last[0]) continue;
      if (of_value == last[0] && (number > most || (number == most && m_order.size() == 1))) {
        continue;
      }
    }
    Order_key key;
    Key_writer writer(key);
    for (std::size_t i = 0; i < m_order.size(); ++i) {
      const Wanted_order &order = m_order[i];
      const Vector &of_column = values.of(i);
      const bool null = is_null(of_column, row);
      writer.add(marker(null, order.nulls_first));
      if (null) continue;
      if (m_program.kind(i) == Program::Kind::text) {
        writer.add(of_column.texts[row], order.descending);
      } else if (m_program.is_narrow(i)) {
        writer.add(ordered(of_column.narrow[row], order.descending));
      } else {
        const __int128 wide = of_column.wide[row];
        const auto low = static_cast<std::uint64_t>(wide);
        writer.add(ordered(static_cast<std::int64_t>(wide >> 64), order.descending));
        writer.add(order.descending ? ~low : low);
      }
    }
    consider(static_cast<std::uint32_t>(row), key);
  }
}

}  // namespace pq
