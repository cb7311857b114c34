#include "pure/group_keys.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <utility>

namespace pq {

namespace {

constexpr std::size_t least_slots = 64;
constexpr std::size_t known_groups = 1024;  // a power of two
// Text that has more bytes does not fit into a word with its length.
constexpr std::size_t most_word_bytes = 7;

// Who chooses the rows must not know which of them meet in one slot.
std::uint64_t random_seed(const void *place) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<std::uint64_t>(now) * 0x9E3779B97F4A7C15 ^
         reinterpret_cast<std::uintptr_t>(place);
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  const auto product = static_cast<unsigned __int128>(hash ^ word) * 0x9FB21C651E98DF25;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t hash_of(std::string_view key, std::uint64_t seed) {
  std::uint64_t hash = seed ^ key.size();
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= key.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, key.data() + at, sizeof(word));
    hash = mixed(hash, word);
  }
  std::uint64_t last = 0;
  for (; at < key.size(); ++at) last = last << 8 | static_cast<unsigned char>(key[at]);
  return mixed(mixed(hash, last), seed | 1);
}

std::size_t words_of(Layout layout) { return layout == Layout::int128 ? 2 : 1; }

// Reads words of the width that values have, `distance` bytes from each other.
template <class T>
void copy_words(const char *values, std::size_t distance, std::uint32_t rows,
                std::uint64_t *words) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    T value;
    std::memcpy(&value, values + row * distance, sizeof(T));
    words[row] = value;
  }
}

// False if a text is too long.
bool copy_texts(const Column_buffer &column, std::uint32_t rows, std::uint64_t *words) {
  const char *end_of_data = column.data() + column.data_size();
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::string_view text = column.bytes(row);
    if (text.size() > most_word_bytes) return false;
    std::uint64_t word = 0;
    if (end_of_data - text.data() >= std::ptrdiff_t{sizeof(word)}) {
      std::memcpy(&word, text.data(), sizeof(word));
      word &= (std::uint64_t{1} << 8 * text.size()) - 1;
    } else {
      for (std::size_t i = text.size(); i-- > 0;) {
        word = word << 8 | static_cast<unsigned char>(text[i]);
      }
    }
    words[row] = word | std::uint64_t{text.size()} << 8 * most_word_bytes;
  }
  return true;
}

}  // namespace

Group_keys::Group_keys(const std::vector<Layout> &layouts, std::vector<std::uint32_t> places)
    : m_places(std::move(places)), m_seed(random_seed(this)) {
  for (const std::uint32_t place : m_places) m_words_of_row += words_of(layouts[place]);
  clear();
}

std::size_t Group_keys::memory(std::size_t columns, std::size_t groups, std::size_t bytes) {
  const std::size_t of_group =
      sizeof(std::size_t) + sizeof(std::uint64_t) + 4 * sizeof(std::uint32_t);
  const std::size_t of_known =
      known_groups * ((2 * columns + 1) * sizeof(std::uint64_t) + sizeof(std::uint32_t));
  // What grows has up to twice the memory that it needs, and the old memory beside it.
  return 3 * (groups * of_group + bytes) + of_known;
}

void Group_keys::clear() {
  m_keys.clear();
  m_ends.clear();
  m_hashes.clear();
  m_slots.assign(least_slots, 0);
  m_known.groups.assign(known_groups, 0);
  m_known.words.resize(known_groups * m_words_of_row);
  if (empty()) add_group(0);
}

const std::vector<std::uint32_t> &Group_keys::number(const Column_batch &rows) {
  m_of_row.assign(rows.rows(), 0);
  if (empty()) return m_of_row;
  if (!make_words(rows)) {
    for (std::uint32_t row = 0; row < rows.rows(); ++row) m_of_row[row] = number_one(rows, row);
    return m_of_row;
  }
  switch (m_words_of_row) {
    case 2:
      number_by_words<2>(rows);
      break;
    case 3:
      number_by_words<3>(rows);
      break;
    default:
      number_by_words<0>(rows);
      break;
  }
  return m_of_row;
}

// False if some values are too long for words.
bool Group_keys::make_words(const Column_batch &rows) {
  const std::uint32_t count = rows.rows();
  m_words.resize(m_words_of_row * count);
  m_row_hashes.assign(count, m_seed);
  std::uint64_t *words = m_words.data();
  for (const std::uint32_t place : m_places) {
    words = add_words(rows.columns()[place], count, words);
    if (words == nullptr) return false;
  }
  mark_nulls(rows);
  const std::uint64_t *word = m_words.data();
  for (std::size_t i = 0; i < m_words_of_row; ++i) {
    for (std::uint32_t row = 0; row < count; ++row) {
      m_row_hashes[row] = mixed(m_row_hashes[row], *word++);
    }
  }
  return true;
}

// Returns where the next column's words are; null if a text is too long.
std::uint64_t *Group_keys::add_words(const Column_buffer &column, std::uint32_t rows,
                                     std::uint64_t *words) {
  const char *values = column.values();
  switch (column.layout()) {
    case Layout::int8:
      copy_words<std::uint8_t>(values, 1, rows, words);
      break;
    case Layout::int16:
      copy_words<std::uint16_t>(values, 2, rows, words);
      break;
    case Layout::int32:
      copy_words<std::uint32_t>(values, 4, rows, words);
      break;
    case Layout::int64:
      copy_words<std::uint64_t>(values, 8, rows, words);
      break;
    case Layout::int128:
      copy_words<std::uint64_t>(values, 16, rows, words);
      copy_words<std::uint64_t>(values + 8, 16, rows, words + rows);
      return words + 2 * std::size_t{rows};
    case Layout::bytes:
      if (!copy_texts(column, rows, words)) return nullptr;
      break;
  }
  return words + rows;
}

void Group_keys::mark_nulls(const Column_batch &rows) {
  const std::uint32_t count = rows.rows();
  std::uint64_t *marks = m_words.data() + (m_words_of_row - 1) * count;
  std::fill_n(marks, count, 0);
  for (std::size_t i = 0; i < m_places.size(); ++i) {
    const Column_buffer &column = rows.columns()[m_places[i]];
    if (column.nulls() == 0) continue;
    for (std::uint32_t row = 0; row < count; ++row) {
      marks[row] |= std::uint64_t{column.is_null(row)} << i;
    }
  }
}

// A count of 0 stands for any.
template <std::size_t count>
void Group_keys::number_by_words(const Column_batch &rows) {
  const std::size_t words_of_row = count == 0 ? m_words_of_row : count;
  const std::uint32_t all = rows.rows();
  for (std::uint32_t row = 0; row < all; ++row) {
    const std::size_t place = m_row_hashes[row] & (known_groups - 1);
    std::uint64_t *known = m_known.words.data() + place * words_of_row;
    std::uint32_t &group = m_known.groups[place];
    bool is_same = group != 0;
    for (std::size_t i = 0; i < words_of_row; ++i) {
      is_same = is_same && known[i] == m_words[i * all + row];
    }
    if (!is_same) {
      group = number_one(rows, row) + 1;
      for (std::size_t i = 0; i < words_of_row; ++i) known[i] = m_words[i * all + row];
    }
    m_of_row[row] = group - 1;
  }
}

std::uint32_t Group_keys::number_one(const Column_batch &rows, std::uint32_t row) {
  write_key(rows, row);
  const std::uint64_t hash = hash_of(m_key, m_seed);
  for (std::size_t slot = hash;; ++slot) {
    const std::uint32_t taken = m_slots[slot & (m_slots.size() - 1)];
    if (taken == 0) return add_group(hash);
    if (m_hashes[taken - 1] == hash && key_of(taken - 1) == m_key) return taken - 1;
  }
}

void Group_keys::write_key(const Column_batch &rows, std::uint32_t row) {
  m_key.clear();
  for (const std::uint32_t place : m_places) {
    const Column_buffer &column = rows.columns()[place];
    if (column.is_null(row)) {
      m_key.push_back(0);
      continue;
    }
    m_key.push_back(1);
    if (column.layout() == Layout::bytes) {
      const std::string_view bytes = column.bytes(row);
      const auto size = static_cast<std::uint32_t>(bytes.size());
      m_key.append(reinterpret_cast<const char *>(&size), sizeof(size));
      m_key.append(bytes);
    } else {
      const std::size_t width = width_of(column.layout());
      m_key.append(column.values() + row * width, width);
    }
  }
}

std::string_view Group_keys::key_of(std::size_t group) const {
  const std::size_t begin = group == 0 ? 0 : m_ends[group - 1];
  return std::string_view(m_keys).substr(begin, m_ends[group] - begin);
}

// The group has the values in m_key. Returns its number.
std::uint32_t Group_keys::add_group(std::uint64_t hash) {
  m_keys.append(m_key);
  m_ends.push_back(m_keys.size());
  m_hashes.push_back(hash);
  if (2 * m_ends.size() > m_slots.size()) {
    grow();
    return count() - 1;
  }
  std::size_t slot = hash;
  while (m_slots[slot & (m_slots.size() - 1)] != 0) ++slot;
  m_slots[slot & (m_slots.size() - 1)] = count();
  return count() - 1;
}

void Group_keys::grow() {
  std::vector<std::uint32_t> slots(2 * m_slots.size());
  for (std::uint32_t group = 0; group < count(); ++group) {
    std::size_t slot = m_hashes[group];
    while (slots[slot & (slots.size() - 1)] != 0) ++slot;
    slots[slot & (slots.size() - 1)] = group + 1;
  }
  m_slots = std::move(slots);
}

void Group_keys::put(Column_batch &result) const {
  for (std::uint32_t group = 0; group < count(); ++group) put_key(result, group);
}

// As write_key() writes them.
void Group_keys::put_key(Column_batch &result, std::uint32_t group) const {
  std::string_view key = key_of(group);
  for (std::size_t i = 0; i < m_places.size(); ++i) {
    Column_buffer &column = result.columns()[i];
    const bool is_null = key.front() == 0;
    key.remove_prefix(1);
    if (is_null) {
      column.set_null(group);
      continue;
    }
    std::uint32_t size = static_cast<std::uint32_t>(width_of(column.layout()));
    if (column.layout() == Layout::bytes) {
      std::memcpy(&size, key.data(), sizeof(size));
      key.remove_prefix(sizeof(size));
      column.append_bytes(group, 1, [&](std::uint32_t) { return key.substr(0, size); });
    } else {
      column.set_bytes(group, key.data());
    }
    key.remove_prefix(size);
  }
}

}  // namespace pq
